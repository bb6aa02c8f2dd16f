/** The messages about webhooks of webhooks, as integrators see them. */
export const webhookMessages = [
  {
    code: 'invalid_event_type',
    params: {},
    en: 'must be visible ASCII characters without a comma, such as deal.created',
    pl: 'musi składać się z widocznych znaków ASCII bez przecinka, na przykład deal.created',
  },
  {
    code: 'too_many_types',
    params: { max: 100 },
    en: 'must have at most 100 types',
    pl: 'maksymalna liczba typów: 100',
  },
  {
    code: 'too_many_webhooks',
    params: { max: 1000 },
    en: 'cannot be added: a partner has at most 1000 webhooks',
    pl: 'nie można dodać: partner może mieć najwyżej 1000 adresów',
  },
  {
    code: 'too_many_webhooks_of_host',
    params: { max: 100 },
    en: 'cannot be added: a partner has at most 100 webhooks with one host name',
    pl: 'nie można dodać: partner może mieć najwyżej 100 adresów jednego hosta',
  },
  {
    code: 'port_not_allowed',
    params: {},
    en: 'must name no port, or one that is allowed here',
    pl: 'nie może wskazywać portu albo musi wskazywać dozwolony port',
  },
  {
    code: 'invalid_url',
    params: {},
    en: 'must be a URL such as https://example.com/hooks',
    pl: 'musi być adresem URL, na przykład https://example.com/hooks',
  },
  {
    code: 'https_required',
    params: {},
    en: 'must begin with https: in production',
    pl: 'w środowisku produkcyjnym musi zaczynać się od https:',
  },
  {
    code: 'address_not_allowed',
    params: {},
    en: 'must name a public host, without a user name or a password',
    pl: 'musi wskazywać publiczny host, bez nazwy użytkownika i hasła',
  },
  {
    code: 'wrong_type',
    params: { expected: 'boolean' },
    en: 'must be true or false',
    pl: 'musi być wartością true lub false',
  },
  {
    code: 'wrong_type',
    params: { expected: 'list' },
    en: 'must be a list',
    pl: 'musi być listą',
  },
] as const;
