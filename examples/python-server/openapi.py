"""The OpenAPI document of this server, made from the rules of its parser."""

from fields import FIELDS, PARAMETERS

ID = {'type': 'string'}
KEY = {'type': 'string', 'pattern': '^[!-~]{1,255}$'}
DEAL = {
    'type': 'object',
    'required': [*FIELDS],
    'properties': {name: schema for name, (_, schema) in FIELDS.items()},
}


def operation(operation_id, place, parameters, success='200', **members):
    """An operation with its parameters, all of them in one place."""
    responses = {success: 'The answer.', 'default': 'Problem details (RFC 9457).'}
    return {
        'operationId': operation_id,
        'parameters': [
            {'name': name, 'in': place, 'required': place == 'path', 'schema': schema}
            for name, schema in parameters.items()
        ],
        'responses': {status: {'description': text} for status, text in responses.items()},
        **members,
    }


FILTER = {name: schema for name, (_, schema) in PARAMETERS.items()}
BODY = {'required': True, 'content': {'application/json': {'schema': DEAL}}}
CREATE = operation('createDeal', 'header', {'Idempotency-Key': KEY}, '201', requestBody=BODY)
TOKEN = {'type': 'apiKey', 'in': 'header', 'name': 'Authorization', 'description': 'Token <token>'}
OPENAPI = {
    'openapi': '3.1.0',
    'info': {'title': 'Freelance deals', 'version': '2.0'},
    'security': [{'token': []}],
    'paths': {
        '/api/2.0/deal/': {'post': CREATE, 'get': operation('listDeals', 'query', FILTER)},
        '/api/2.0/deal/{partner_id}/': {'get': operation('getDeal', 'path', {'partner_id': ID})},
        '/api/2.0/deal/by-id/': {'get': operation('findDeal', 'query', {'partner_id': ID})},
        '/api/2.0/category/': {'get': operation('listCategories', 'query', {})},
    },
    'components': {'securitySchemes': {'token': TOKEN}},
}
