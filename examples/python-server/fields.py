"""The rules of fields and query parameters, for the parser and for the OpenAPI document."""

import re
from datetime import date

from messages import Problem

# an id, the name in English and in Polish, and the same of the subcategories
CATEGORIES = (
    (1, 'Software', 'Oprogramowanie', ((21, 'Websites', 'Strony'), (22, 'Apps', 'Aplikacje'))),
    (7, 'Texts', 'Teksty', ((75, 'Copywriting', 'Copywriting'), (79, 'Scripts', 'Scenariusze'))),
)
SUBCATEGORY_IDS = {each[0] for category in CATEGORIES for each in category[3]}
# JSON is read with a float for every number: 30.0 is an integer, and true is not
TYPES = {'string': str, 'integer': float, 'object': dict}
LARGEST_INTEGER = 2**53 - 1
NUMBER = r'-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?'
AMOUNT = r'-?[0-9]{0,18}(?:\.[0-9]{0,2})?'
LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
EMAIL = rf"[a-zA-Z0-9.!#$%&'*+/=?^_`{{|}}~-]+@{LABEL}(?:\.{LABEL})*"
MOMENT = r'(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))'


def refuse(is_broken, code, **params):
    if is_broken:
        raise Problem(code, **params)


def refuse_type(value, expected):
    refuse(value is None, 'null_not_allowed')
    refuse(not isinstance(value, TYPES[expected]), 'wrong_type', expected=expected)


# A rule is a function and a JSON schema. The function gets a value of the right type, and returns
# its canonical form, or refuses it by the first rule that it breaks.


def text(shortest, longest):
    def check(value):
        refuse(re.search(r'[\ud800-\udfff]', value), 'malformed_text')
        refuse('\0' in value, 'forbidden_character')
        # Python counts code points, as the interface does
        length = len(value)
        refuse(shortest == longest != length, 'wrong_length', length=longest)
        refuse(length < shortest, 'too_short', min=shortest)
        refuse(length > longest, 'too_long', max=longest)
        return value

    return check, {'type': 'string', 'minLength': shortest, 'maxLength': longest}


def choice(*allowed):
    def check(value):
        refuse(value not in allowed, 'not_allowed', allowed=allowed)
        return value

    return check, {'type': 'string', 'enum': allowed}


def email(value):
    refuse(value == '', 'too_short', min=1)
    refuse(len(value) > 254, 'too_long', max=254)
    refuse(not re.fullmatch(EMAIL, value), 'invalid_email')
    refuse(value.index('@') > 64, 'email_local_part_too_long', max=64)
    return value


def amount(value):
    is_decimal = re.fullmatch(AMOUNT, value) and re.search('[0-9]', value)
    refuse(not is_decimal, 'invalid_decimal', max_integer_digits=18, max_fraction_digits=2)
    refuse(value.startswith('-') or not re.search('[1-9]', value), 'not_positive')
    whole, _, cents = value.partition('.')
    return f'{int(whole or 0)}.{cents:0<2}'


def integer(allowed, code, **params):
    def check(value):
        limits = {'min': -LARGEST_INTEGER, 'max': LARGEST_INTEGER}
        refuse(abs(value) > LARGEST_INTEGER, 'out_of_range', **limits)
        refuse(not value.is_integer(), 'not_an_integer')
        refuse(value not in allowed, code, **params)
        return int(value)

    return check, {'type': 'integer', 'minimum': min(allowed), 'maximum': max(allowed)}


def moment(value):
    """The seconds, and the digits of the fraction: a pair that compares as the moments do."""
    match = re.fullmatch(MOMENT, value, re.ASCII)
    refuse(match is None, 'invalid_timestamp')
    year, month, day, hour, minute, second = map(int, match.groups()[:6])
    fraction, sign, hours, minutes = match.groups(default='0')[6:]
    is_time = hour < 24 and minute < 60 and second < 61 and int(hours) < 24 and int(minutes) < 60
    refuse(not is_time, 'invalid_timestamp')
    try:
        # Python has no year 0; it is like the year 400, which comes 146,097 days later
        days = date(year or 400, month, day).toordinal() - (0 if year else 146_097)
    except ValueError:
        raise Problem('invalid_timestamp') from None
    offset = (int(hours) * 60 + int(minutes)) * (-1 if sign == '-' else 1)
    return ((days * 24 + hour) * 60 + minute - offset) * 60 + second, fraction.rstrip('0')


EMAIL_SCHEMA = {'type': 'string', 'format': 'email', 'minLength': 1, 'maxLength': 254}
MOMENT_SCHEMA = {'type': 'string', 'format': 'date-time'}
FIELDS = {
    'partner_id': text(1, 40),
    'email_freelancer': (email, EMAIL_SCHEMA),
    'title': text(1, 200),
    'description': text(1, 20_000),
    'subcategory_id': integer(SUBCATEGORY_IDS, 'unknown_subcategory'),
    'amount': (amount, {'type': 'string', 'pattern': f'^{AMOUNT}$'}),
    'currency': text(3, 3),
    'copyright_transfer': choice('full_transfer', 'license', 'none'),
    'freelancer_language': choice('pl', 'en'),
}
STATUS = ('created', 'accepted', 'delivered', 'changes_requested', 'approved')
STATUS += ('completed', 'disputed', 'cancelled', 'expired')
FREELANCER_STATUS = ('new', 'invited', 'accepted', 'declined', 'expired', 'removed', 'finished')
PARAMETERS = {
    'page_size': integer(range(1, 101), 'out_of_range', min=1, max=100),
    'cursor': text(0, 100_000),
    'partner_id': text(1, 40),
    'status': choice(*STATUS),
    'freelancer_status': choice(*FREELANCER_STATUS),
    'attention': choice('true'),
    'email_freelancer': (lambda value: email(value).lower(), EMAIL_SCHEMA),
    'created_from': (moment, MOMENT_SCHEMA),
    'created_to': (moment, MOMENT_SCHEMA),
}


def parse(rules, values, required=True, issues=()):
    """The values in their canonical form; otherwise all issues at once."""
    parsed, issues = {}, list(issues)
    for name, (check, schema) in rules.items():
        try:
            refuse(required and name not in values, 'required')
            if name in values:
                refuse_type(values[name], schema['type'])
                parsed[name] = check(values[name])
        except Problem as broken:
            issues.append(broken.at(name))
    refuse(issues, 'validation_failed', errors=issues)
    return parsed


def parse_deal(body):
    try:
        refuse_type(body, 'object')
    except Problem as broken:
        raise Problem('validation_failed', errors=[broken.at()]) from None
    return parse(FIELDS, body)


def parse_list(query):
    size = query.get('page_size', '')
    numbers = {'page_size': float(size)} if re.fullmatch(NUMBER, size) else {}
    unknown = [name[:64] for name in query if name not in PARAMETERS][:10]
    issues = map(Problem('unknown_parameter', allowed=[*PARAMETERS]).at, unknown)
    return parse(PARAMETERS, {**query, **numbers}, required=False, issues=issues)
