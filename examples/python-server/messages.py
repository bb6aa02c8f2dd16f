"""Errors, issues, and their messages in English and Polish."""


class Problem(Exception):
    """An error of the service, or an issue of one value: its code and what goes with it."""

    def __init__(self, code, headers=(), **members):
        self.code, self.headers, self.members = code, dict(headers), members

    def at(self, *path):
        return {'path': path, 'code': self.code, 'params': self.members}


ERRORS = {
    'invalid_json': (400, 'The body is not JSON in UTF-8.', 'Treść nie jest JSON-em w UTF-8.'),
    'incomplete_body': (400, 'The body ended too early.', 'Treść urwała się za wcześnie.'),
    'validation_failed': (400, 'Some values break rules.', 'Niektóre wartości łamią reguły.'),
    'invalid_idempotency_key': (400, 'The key has a wrong form.', 'Klucz ma niepoprawną postać.'),
    'invalid_cursor': (400, 'The cursor is of another list.', 'Kursor pochodzi z innej listy.'),
    'unauthorized': (401, 'A valid API token is required.', 'Wymagany jest ważny token API.'),
    'not_found': (404, 'There is nothing here.', 'Nic tu nie ma.'),
    'method_not_allowed': (405, 'The path has other methods.', 'Ta ścieżka ma inne metody.'),
    'deal_exists': (409, 'This partner_id is already used.', 'To partner_id jest już zajęte.'),
    'payload_too_large': (413, 'The body is too large.', 'Treść jest za duża.'),
    'unsupported_media_type': (415, 'The body has a wrong type.', 'Treść ma niewłaściwy typ.'),
    'idempotency_key_reused': (422, 'The key has other input already.', 'Klucz ma już inne dane.'),
    'internal': (500, 'The service failed.', 'Usługa zawiodła.'),
}

# the params fill the braces
ISSUES = {
    'required': ('is required', 'jest wymagane'),
    'null_not_allowed': ('must not be null', 'nie może być null'),
    'wrong_type': ('must be of the type {expected}', 'wymagany typ: {expected}'),
    'malformed_text': ('must be well-formed Unicode', 'musi być poprawnym tekstem Unicode'),
    'forbidden_character': ('must not contain U+0000', 'nie może zawierać znaku U+0000'),
    'too_short': ('must have {min} or more characters', 'liczba znaków: co najmniej {min}'),
    'too_long': ('must have {max} or fewer characters', 'liczba znaków: co najwyżej {max}'),
    'wrong_length': ('must have {length} characters', 'liczba znaków: {length}'),
    'invalid_email': ('must be an e-mail address', 'musi być adresem e-mail'),
    'email_local_part_too_long': ('is too long before the @', 'część przed @ jest za długa'),
    'not_allowed': ('must be one of {allowed}', 'dozwolone: {allowed}'),
    'invalid_decimal': ('must be a decimal such as 10.50', 'musi być liczbą taką jak 10.50'),
    'not_positive': ('must be above zero', 'musi być większe od zera'),
    'not_an_integer': ('must be an integer', 'musi być liczbą całkowitą'),
    'out_of_range': ('must be from {min} to {max}', 'musi być od {min} do {max}'),
    'unknown_subcategory': ('must be a known subcategory', 'musi być znaną podkategorią'),
    'invalid_timestamp': ('must be a time by RFC 3339', 'musi być czasem według RFC 3339'),
    'too_deep': ('must be nested {max} levels at most', 'najwyżej {max} poziomy zagnieżdżenia'),
    'unknown_parameter': ('must be one of {allowed}', 'dozwolone: {allowed}'),
}


def with_message(issue, language):
    params = issue['params']
    shown = {**params, 'allowed': ', '.join(params.get('allowed', ()))}
    return {**issue, 'message': ISSUES[issue['code']][language == 'pl'].format(**shown)}
