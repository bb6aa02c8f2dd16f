"""A small server of the deals interface, version 2.0, in memory. See README.md."""

import argparse
import json
import re
import signal
import socket
import sys
import time
import traceback
from contextlib import suppress
from email.errors import FirstHeaderLineIsContinuationDefect, MissingHeaderBodySeparatorDefect
from hashlib import sha256
from hmac import compare_digest
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import accumulate
from secrets import randbits
from urllib.parse import unquote_to_bytes

from deals import Deals
from fields import CATEGORIES, parse_deal, parse_list
from messages import ERRORS, Problem, with_message
from openapi import OPENAPI

LARGEST_BODY = 2**20
DEEPEST_JSON = 64
BROKEN_HEADERS = (FirstHeaderLineIsContinuationDefect, MissingHeaderBodySeparatorDefect)
API_HEADERS = {'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff'}


class Handler(BaseHTTPRequestHandler):
    protocol_version = default_request_version = 'HTTP/1.1'
    disable_nagle_algorithm = True
    timeout = 30

    def __getattr__(self, name):
        # the base class looks for a method of its own for each HTTP method
        if name.startswith('do_'):
            return self.respond
        raise AttributeError(name)

    def handle(self):
        # by an OSError the client has gone
        with suppress(OSError):
            super().handle()

    def log_message(self, *_):
        pass

    def respond(self):
        self.begin()
        try:
            self.unread = self.has_body()
            status, value, headers = self.answer()
        except HTTPException:
            self.send_error(400)
        except Problem as problem:
            self.send_problem(problem)
        except Exception:
            traceback.print_exc()
            self.send_problem(Problem('internal'))
        else:
            self.send(status, value, headers)

    def begin(self):
        given = self.header('X-Request-Id') or ''
        secret = (self.header('Authorization') or '').rpartition(' ')[2]
        is_sane = re.fullmatch('[A-Za-z0-9._~-]{1,128}', given) and not (secret and secret in given)
        self.request_id = given if is_sane else new_id()
        wanted = weights(self.header('Accept-Language'))
        polish, english = (wanted.get(name, wanted.get('*', 0)) for name in ('pl', 'en'))
        self.language = 'pl' if polish > english else 'en'
        self.target = re.sub('(?i)^https?://[^/?]*', '', self.requestline.split()[1])
        self.is_api = self.target.startswith('/api/')

    def answer(self):
        tenant = self.tenant() if self.is_api and self.command != 'OPTIONS' else None
        path, _, query = self.target.partition('?')
        routes = ((re.fullmatch(route, path), methods) for route, methods in ROUTES)
        match, methods = next((each for each in routes if each[0]), (None, None))
        if match is None:
            raise Problem('not_found', resource='operation')
        allow = {'Allow': ', '.join([*methods, 'OPTIONS']).replace('GET', 'GET, HEAD')}
        if self.command == 'OPTIONS':
            return 204, None, allow
        operation = methods.get('GET' if self.command == 'HEAD' else self.command)
        if operation is None:
            raise Problem('method_not_allowed', headers=allow)
        # decoded only after the path is split: an id may have a slash
        return operation(self, tenant, parameters(query), *map(decoded, match.groups()))

    def tenant(self):
        match = re.fullmatch('(?i:token) +([!-~]+)', self.header('Authorization') or '')
        digest = sha256(match[1].encode()).digest() if match else b''
        found = [tenant for known, tenant in self.tokens if compare_digest(known, digest)]
        if not found:
            raise Problem('unauthorized', headers={'WWW-Authenticate': 'Token'})
        return found[0]

    def create_deal(self, tenant, _):
        body, key = self.read_json(), self.header('Idempotency-Key')
        if key is not None and not re.fullmatch('[!-~]{1,255}', key):
            raise Problem('invalid_idempotency_key')
        return 201, {'data': self.deals.create(tenant, parse_deal(body), key)}, {}

    def retrieve_deal(self, tenant, query, partner_id):
        if partner_id == 'by-id':
            partner_id = query.get('partner_id', partner_id)
        return 200, {'data': self.deals.find(tenant, partner_id)}, {}

    def list_deals(self, tenant, query):
        return 200, {'data': self.deals.page(tenant, parse_list(query))}, {}

    def list_categories(self, *_):
        def named(each):
            return {'id': each[0], 'name': each[2 if self.language == 'pl' else 1]}

        tree = [{**named(each), 'subcategories': [*map(named, each[3])]} for each in CATEGORIES]
        return 200, {'data': tree}, {'Content-Language': self.language}

    def header(self, name):
        values = self.headers.get_all(name)
        return None if values is None else ', '.join(value.strip(' \t') for value in values)

    def has_body(self):
        """Refuses what is not HTTP, or leaves open where the request ends."""
        coding, length = self.header('Transfer-Encoding'), self.header('Content-Length')
        if (
            any(isinstance(defect, BROKEN_HEADERS) for defect in self.headers.defects)
            or (self.header('Host') is None and self.request_version == 'HTTP/1.1')
            or (coding is not None and (coding.lower() != 'chunked' or length is not None))
            or not re.fullmatch('[0-9]{1,18}', length or '0')
        ):
            raise HTTPException
        return coding is not None or int(length or 0) > 0

    def read_json(self):
        content_type = (self.header('Content-Type') or '').lower()
        kind, *rest = [part.strip() for part in content_type.split(';')]
        charsets = {part.replace('"', '') for part in rest if part.startswith('charset')}
        is_encoded = self.header('Content-Encoding') is not None
        if kind != 'application/json' or charsets - {'charset=utf-8'} or is_encoded:
            raise Problem('unsupported_media_type', headers={'Accept': 'application/json'})
        try:
            text = self.read_body().decode('utf-8-sig')
            if depth(text) > DEEPEST_JSON:
                too_deep = Problem('too_deep', max=DEEPEST_JSON).at()
                raise Problem('validation_failed', errors=[too_deep])
            # NaN is not JSON: as an integer it is a ValueError
            return json.loads(text, parse_int=float, parse_constant=int)
        except ValueError:
            raise Problem('invalid_json') from None

    def read_body(self):
        length = self.header('Content-Length')
        is_chunked = self.unread and length is None
        try:
            body = self.read_chunks() if is_chunked else self.read_exactly(int(length or 0))
        except OSError:
            raise Problem('incomplete_body') from None
        self.unread = False
        return body

    def read_exactly(self, length, before=0):
        if before + length > LARGEST_BODY:
            raise Problem('payload_too_large', max_bytes=LARGEST_BODY)
        data = self.rfile.read(length)
        if len(data) < length:
            raise Problem('incomplete_body')
        return data

    def read_chunks(self):
        body, length = b'', 1
        while length > 0:
            size = re.match(rb'[0-9a-fA-F]{1,8}\b', self.rfile.readline(1024))
            if size is None:
                raise HTTPException
            length = int(size[0], 16)
            body += self.read_exactly(length, len(body))
            # an empty line; after the last chunk trailers may come before it
            while self.rfile.readline(1024).strip():
                if length > 0:
                    raise HTTPException
        return body

    def send_problem(self, problem):
        status, *details = ERRORS[problem.code]
        title, detail = problem.code.replace('_', ' ').capitalize(), details[self.language == 'pl']
        body = {'type': f'urn:dealwright:error:{problem.code}', 'title': title, 'status': status}
        body |= {'detail': detail, 'instance': f'urn:dealwright:request:{self.request_id}'}
        body |= {'code': problem.code, 'request_id': self.request_id, **problem.members}
        if 'errors' in body:
            body['errors'] = [with_message(issue, self.language) for issue in body['errors']]
        headers = {'Content-Language': self.language, **problem.headers}
        if weights(self.header('Accept')).get('application/problem+json', 0) > 0:
            headers['Content-Type'] = 'application/problem+json'
        self.send(status, body, headers)

    def send_error(self, code, *_):
        """Refuses what is not HTTP; the base class calls it, too."""
        self.request_id, self.is_api, self.unread = new_id(), False, True
        body = {'type': 'about:blank', 'title': self.responses[code][0], 'status': code}
        self.send(code, {**body, 'request_id': self.request_id}, {})

    def send(self, status, value, headers):
        body = b'' if value is None else json.dumps(value, ensure_ascii=False).encode()
        sent = {'X-Request-Id': self.request_id, **(API_HEADERS if self.is_api else {})}
        if value is not None:
            sent |= {'Content-Type': 'application/json', 'Content-Length': len(body)}
        if self.unread:
            sent |= {'Connection': 'close'}
        self.send_response(status)
        for name, text in {**sent, **headers}.items():
            self.send_header(name, text)
        self.end_headers()
        if self.command != 'HEAD':
            self.wfile.write(body)
        if self.unread:
            self.linger()

    def linger(self):
        """Reads on for a moment: if bytes are left at the close, the client loses the answer."""
        self.connection.shutdown(socket.SHUT_WR)
        self.connection.settimeout(1)
        end = time.monotonic() + 5
        while time.monotonic() < end and self.rfile.read1(65_536):
            pass


ROUTES = (
    (r'/api/2\.0/deal/?', {'GET': Handler.list_deals, 'POST': Handler.create_deal}),
    (r'/api/2\.0/deal/([^/]+)/?', {'GET': Handler.retrieve_deal}),
    (r'/api/2\.0/category/?', {'GET': Handler.list_categories}),
    (r'/openapi\.json', {'GET': lambda *_: (200, OPENAPI, {})}),
    ('/healthz/?', {'GET': lambda *_: (200, {'status': 'ok'}, {})}),
    (r'\*', {}),
)


def decoded(raw, errors='surrogateescape'):
    """Bytes that are not UTF-8 become lone surrogates, which no text of the interface has."""
    return unquote_to_bytes(raw.encode('latin-1')).decode('utf-8', errors)


def parameters(query):
    """The parameters of a query; of one that is repeated, the last."""
    pairs = [part.replace('+', ' ').partition('=') for part in query.split('&') if part]
    return {decoded(name, 'replace'): decoded(value) for name, _, value in pairs}


def weights(header):
    """What an Accept header wants, and how much; of a language only its first part counts."""
    found = {}
    for member in (header or '').lower().replace(' ', '').split(','):
        name, _, weight = member.partition(';q=')
        name = re.split('[;-]', name)[0]
        is_weight = re.fullmatch(r'(0(\.[0-9]{0,3})?|1(\.0{0,3})?)?', weight)
        found[name] = max(found.get(name, 0), float(weight or 1) if is_weight else 0)
    return found


def depth(text):
    """How deep the objects and arrays of a JSON text are nested."""
    outside_strings = re.sub(r'(?s)"(?:[^"\\]|\\.)*+"?', '', text)
    brackets = re.findall(r'[\[\]{}]', outside_strings)
    return max(accumulate(1 if each in '[{' else -1 for each in brackets), default=0)


def new_id():
    """A ULID: 48 bits of time and 80 of chance."""
    number = time.time_ns() // 1_000_000 << 80 | randbits(80)
    digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
    return ''.join(digits[number >> shift & 31] for shift in range(125, -1, -5))


def token(text):
    match = re.fullmatch('([!-~]+)=(production|sandbox):(.+)', text)
    if match is None:
        raise ValueError
    return sha256(match[1].encode()).digest(), (match[2], match[3])


def main():
    parser = argparse.ArgumentParser(description='Serves the deals interface, version 2.0.')
    parser.add_argument('--port', type=int, default=8080, help='0 takes any free one')
    form = '<token>=<environment>:<partner>'
    parser.add_argument('--token', type=token, action='append', required=True, metavar=form)
    options = parser.parse_args()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: sys.exit())
    Handler.tokens, Handler.deals = options.token, Deals()
    ThreadingHTTPServer.request_queue_size = 128
    with ThreadingHTTPServer(('127.0.0.1', options.port), Handler) as server:
        print(f'listening on http://127.0.0.1:{server.server_port}', flush=True)
        server.serve_forever()


if __name__ == '__main__':
    main()
