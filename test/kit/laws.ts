/** The id of the law of a case, which the name of the case begins with. */
export function lawIdOf(name: string): string {
  return name.slice(0, name.search(/[ :]/));
}

/** Fits the names of all cases of a law. */
export function casesOf(id: string): RegExp {
  return new RegExp(`^${id.replaceAll('.', '\\.')}[ :]`);
}
