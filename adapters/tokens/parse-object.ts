/** The members of a JSON text; none if it is not JSON or not an object. */
export function parseObject(json: string | undefined): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(json ?? ''));
  } catch {
    return {};
  }
}
