/** A catalog: texts by key, in groups. `key_one` and `key_other` are the two plural forms of one text. */
export type Catalog = { readonly [key: string]: string | Catalog };

/**
 * Returns the text at a dotted path, with its `{{values}}` filled in; undefined if there is none. A
 * `count` selects the plural form of the language (Intl.PluralRules).
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
