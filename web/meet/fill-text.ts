/** A catalogue: texts by key, grouped. `key_one` and `key_other` are the two forms of one text that counts. */
export type Catalogue = { readonly [key: string]: string | Catalogue };

/**
 * The text at a dotted path, with its `{{values}}` filled in; undefined where there is none. With a `count`
 * the form is the one that the language has for that number (Intl.PluralRules).
 */
export function fillText(
  catalogue: Catalogue,
  path: string,
  values: Record<string, string | number>,
  language: string,
): string | undefined {
  const form =
    typeof values.count === 'number'
      ? `_${new Intl.PluralRules(language).select(values.count)}`
      : '';
  const found = at(catalogue, `${path}${form}`) ?? at(catalogue, path);
  return found?.replace(/{{(\w+)}}/g, (place, name: string) => String(values[name] ?? place));
}

function at(catalogue: Catalogue, path: string): string | undefined {
  let branch: Catalogue | string | undefined = catalogue;
  for (const key of path.split('.')) {
    branch = typeof branch === 'object' ? branch[key] : undefined;
  }
  return typeof branch === 'string' ? branch : undefined;
}
