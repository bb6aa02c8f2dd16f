"""The deals of all partners, in memory."""

import hmac
import itertools
import json
import math
import re
import secrets
import threading
from bisect import bisect_left, bisect_right
from datetime import datetime, timedelta, timezone
from operator import eq, ge, lt

from fields import moment
from messages import Problem

CREATED = ('payment_token', 'freelancer_status', 'status')
LISTED = ('partner_id', 'api_version', 'title', 'email_freelancer', 'amount', 'currency')
LISTED += ('status', 'freelancer_status', 'created_at')
SUMS = ('employer_fee', 'paid', 'refunded', 'released', 'held', 'fees')
SUMS += ('charged_back', 'loss', 'written_off')
PAYMENTS = ('employer_payments', 'contractor_payments')
COMPARISONS = {'created_from': ge, 'created_to': lt}


def new_deal(command, stage_id):
    """The details of a deal. This server has no commands: they stay as they are."""
    amount, currency = command['amount'], command['currency']
    now = datetime.now(timezone.utc)
    created_at, expires_at = (
        (now + timedelta(days)).isoformat(timespec='milliseconds')[:-6] + 'Z' for days in (0, 30)
    )
    stage = {'id': stage_id, 'name': command['title'], 'budget': amount, 'work_days': None}
    stage |= {'status': 'pending', 'agreed_amount': None, 'work_files': []}
    stage |= dict.fromkeys(('due_on', 'due_at', 'review_ends_at'))
    billing = {'currency': currency, **dict.fromkeys(('amount', 'total', 'outstanding'), amount)}
    billing |= {**dict.fromkeys(SUMS, '0.00'), **dict.fromkeys(PAYMENTS, [])}
    return {
        **command,
        'api_version': '2.0',
        'payment_token': secrets.token_urlsafe(32),
        'status': 'created',
        'freelancer_status': 'new',
        'created_at': created_at,
        'agreed_amount': None,
        'terms_version': 1,
        'terms_sha256': None,
        'proposal': None,
        'legal': [],
        'legal_proposals': [],
        'expires_at': expires_at,
        'partner_name': None,
        # `attention=true` looks for something in it, and finds no deal
        'attention': [],
        'stages': [stage],
        'billing': billing,
    }


def matches(deal, wanted):
    at, email = moment(deal['created_at']), deal['email_freelancer'].lower()
    known = {**deal, 'email_freelancer': email, 'created_from': at, 'created_to': at}
    return all(COMPARISONS.get(name, eq)(known[name], wanted[name]) for name in wanted)


class Deals:
    """A tenant is an environment and a partner: none sees the deals of another."""

    def __init__(self):
        self.lock = threading.Lock()
        self.of_tenants, self.of_keys = {}, {}
        self.stage_ids = itertools.count(1)
        self.secret = secrets.token_bytes(32)

    def create(self, tenant, command, key):
        """The new deal, or the one that the same key has made of the same command."""
        with self.lock:
            deals = self.of_tenants.setdefault(tenant, {})
            first_command, deal = self.of_keys.get((tenant, key), (None, None))
            if first_command not in (None, command):
                raise Problem('idempotency_key_reused')
            if deal is None and command['partner_id'] in deals:
                raise Problem('deal_exists')
            if deal is None:
                deal = deals[command['partner_id']] = new_deal(command, next(self.stage_ids))
            if key is not None:
                self.of_keys[tenant, key] = command, deal
        return {name: deal[name] for name in CREATED}

    def find(self, tenant, partner_id):
        deal = self.of_tenants.get(tenant, {}).get(partner_id)
        if deal is None:
            raise Problem('not_found', resource='deal')
        return deal

    def page(self, tenant, wanted):
        """A page of the deals that are wanted, the newest first."""
        size, cursor = wanted.pop('page_size', 20), wanted.pop('cursor', None)
        direction, bound = self.read_cursor(cursor, wanted)
        with self.lock:
            deals = list(self.of_tenants.get(tenant, {}).values())
        # a position never changes: deals that arrive later come behind
        found = [position for position, deal in enumerate(deals) if matches(deal, wanted)]
        if direction == 'older':
            end = bisect_right(found, bound)
            start = max(0, end - size)
        else:
            start = bisect_left(found, bound)
            end = start + size
        page = [deals[position] for position in reversed(found[start:end])]
        return {
            'results': [{name: deal[name] for name in LISTED} for deal in page],
            'next': self.cursor('older', found[start - 1], wanted) if start > 0 else None,
            'previous': self.cursor('newer', found[end], wanted) if end < len(found) else None,
        }

    def cursor(self, direction, bound, wanted):
        """Where a page begins, signed together with the filter."""
        signed = json.dumps([direction, bound, wanted], sort_keys=True).encode()
        return f'{direction}-{bound}-{hmac.digest(self.secret, signed, "sha256").hex()}'

    def read_cursor(self, cursor, wanted):
        if cursor is None:
            return 'older', math.inf
        match = re.fullmatch('(older|newer)-([0-9]{1,16})-[0-9a-f]{64}', cursor)
        direction, bound = (match[1], int(match[2])) if match else ('', 0)
        if not hmac.compare_digest(cursor.encode(), self.cursor(direction, bound, wanted).encode()):
            raise Problem('invalid_cursor')
        return direction, bound
