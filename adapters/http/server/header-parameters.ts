const parameter =
  /[\t ]*;[\t ]*([!#$%&'*+.^_`|~\w-]+)[\t ]*=[\t ]*(?:"((?:[^"\\]|\\.)*)"|"([^"]*)"|([^;"\t ]*))/suy;

/**
 * The parameters of a header such as Content-Disposition, by their names in lower case; of one that
 * is repeated the first counts. Quotes are read as browsers write them (WHATWG HTML, multipart
 * form data): a backslash stands for itself but in front of a quote.
 */
export function parametersOf(header: string): Readonly<Record<string, string>> {
  const parameters: Record<string, string> = Object.create(null);
  const semicolon = header.indexOf(';');
  if (semicolon < 0) return parameters;
  parameter.lastIndex = semicolon;
  for (let read = parameter.exec(header); read !== null; read = parameter.exec(header)) {
    const [, name = '', quoted, broken, plain = ''] = read;
    parameters[name.toLowerCase()] ??= quoted?.replaceAll('\\"', '"') ?? broken ?? plain;
  }
  return parameters;
}
