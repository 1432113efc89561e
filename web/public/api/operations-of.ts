import { type Description, methods } from '#domain/api/openapi/document.ts';

/** Returns the chapters of the description, each with its operations. */
export function operationsOf({ tags, paths }: Description) {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method, operation }] : [];
    }),
  );
  return tags.map((chapter) => ({
    chapter,
    anchor: chapter.name.toLowerCase().replaceAll(' ', '-'),
    operations: all.filter(({ operation }) => operation.tags.includes(chapter.name)),
  }));
}
