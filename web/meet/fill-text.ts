/** A catalog: texts by key, grouped. `key_one` and `key_other` are the two forms of one text that counts. */
export type Catalog = { readonly [key: string]: string | Catalog };

/**
 * The text at a dotted path, with its `{{values}}` filled in; undefined where there is none. With a `count`
 * the form is the one that the language has for that number (Intl.PluralRules).
 */
export function fillText(
  catalog: Catalog,
  path: string,
  values: Record<string, string | number>,
  language: string,
): string | undefined {
  const form =
    typeof values.count === 'number'
      ? `_${new Intl.PluralRules(language).select(values.count)}`
      : '';
  const found = at(catalog, `${path}${form}`) ?? at(catalog, path);
  return found?.replace(/{{(\w+)}}/g, (place, name: string) => String(values[name] ?? place));
}

function at(catalog: Catalog, path: string): string | undefined {
  let branch: Catalog | string | undefined = catalog;
  for (const key of path.split('.')) {
    branch = typeof branch === 'object' ? branch[key] : undefined;
  }
  return typeof branch === 'string' ? branch : undefined;
}
