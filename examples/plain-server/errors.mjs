/** The cells of each row of a table, by its code. */
function tableOf(text) {
  const rows = text.trim().split('\n');
  return new Map(rows.map((row) => row.split(/ *\| */)).map(([code, ...cells]) => [code, cells]));
}

const refusals = tableOf(`
invalid_json           | 400 | Invalid JSON           | The body is not JSON in UTF-8.              | Treść żądania nie jest JSON-em w UTF-8.
validation_failed      | 400 | Validation failed      | Some values break a rule; see errors.       | Niektóre wartości łamią reguły; zobacz pole errors.
unauthorized           | 401 | Unauthorized           | Send "Authorization: Token" and your token. | Wyślij „Authorization: Token” i swój token.
not_found              | 404 | Not found              | There is nothing here for you.              | Nie ma tu nic dla Ciebie.
method_not_allowed     | 405 | Method not allowed     | The header Allow names the methods.         | Dozwolone metody podaje nagłówek Allow.
contractor_exists      | 409 | Contractor exists      | The contractor is registered already.       | Wykonawca jest już zarejestrowany.
deal_exists            | 409 | Deal exists            | This partner_id has a deal already.         | Zlecenie z tym partner_id już istnieje.
payload_too_large      | 413 | Payload too large      | The body is too large.                      | Treść żądania jest za duża.
unsupported_media_type | 415 | Unsupported media type | The header Accept names the types.          | Dozwolone typy podaje nagłówek Accept.
internal               | 500 | Internal error         | The service has failed.                     | Usługa zawiodła.
`);

const issues = tableOf(`
required                  | is required                               | jest wymagane
null_not_allowed          | must not be null                          | nie może być null
wrong_type                | must have the type {expected}             | musi mieć typ {expected}
malformed_text            | must be well-formed Unicode               | musi być poprawnym tekstem Unicode
forbidden_character       | must not contain U+0000                   | nie może zawierać U+0000
too_short                 | must have {min} or more characters        | najmniejsza liczba znaków: {min}
too_long                  | must have {max} or fewer characters       | największa liczba znaków: {max}
wrong_length              | must have {length} characters             | dokładna liczba znaków: {length}
invalid_email             | must be an e-mail address                 | musi być adresem e-mail
email_local_part_too_long | must have {max} or fewer characters before @ | największa liczba znaków przed @: {max}
not_allowed               | must be one of: {allowed}                 | dozwolone wartości: {allowed}
unknown_country           | must be a country code such as PL         | musi być kodem kraju, na przykład PL
unknown_currency          | must be a currency code such as PLN       | musi być kodem waluty, na przykład PLN
invalid_decimal           | must be a decimal such as "1000.00"       | musi być liczbą dziesiętną, na przykład "1000.00"
not_an_integer            | must be an integer                        | musi być liczbą całkowitą
out_of_range              | must be from {min} to {max}               | musi mieścić się w zakresie od {min} do {max}
unknown_subcategory       | must be the id of a subcategory           | musi być identyfikatorem podkategorii
unknown_contractor        | must be a contractor's e-mail address     | musi być adresem e-mail wykonawcy
unknown_stage             | must be the id of a stage of the deal     | musi być identyfikatorem etapu zlecenia
invalid_media_type        | must be a media type such as text/plain   | musi być typem zawartości, na przykład text/plain
invalid_base64            | must be base64 with its padding           | musi być zapisane w base64 z dopełnieniem
malformed_form            | must be a complete form                   | musi być kompletnym formularzem
repeated                  | must appear only once                     | może wystąpić tylko raz
`);

export const languages = ['en', 'pl'];

const textOf = (texts, language) => texts[languages.indexOf(language)];

function describeIssue({ path, code, params = {} }, language) {
  const text = textOf(issues.get(code), language);
  const message = text.replace(/\{(\w+)\}/g, (_, name) => [params[name]].flat().join(', '));
  return { path, code, message, params };
}

/** A request that is refused, with what its code adds to the headers and the body. */
export class Refusal extends Error {
  constructor(code, { headers = {}, issues, ...members } = {}) {
    super(code);
    const [status, title, ...texts] = refusals.get(code);
    Object.assign(this, { code, status: Number(status), title, texts, headers, issues, members });
  }

  /** The problem details of RFC 9457. */
  describe(language, requestId) {
    return {
      type: `urn:dealwright:error:${this.code}`,
      title: this.title,
      status: this.status,
      detail: textOf(this.texts, language),
      instance: `urn:dealwright:request:${requestId}`,
      code: this.code,
      request_id: requestId,
      ...this.members,
      errors: this.issues?.map((issue) => describeIssue(issue, language)),
    };
  }
}

export const invalid = (...found) => new Refusal('validation_failed', { issues: found });
