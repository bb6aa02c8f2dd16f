/** The members of a JSON text; none where it is not JSON or not an object. */
export function parseObject(json: string | undefined): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(json ?? ''));
  } catch {
    return {};
  }
}
