declare module 'zapier-platform-schema' {
  const schema: { validateAppDefinition(app: object): { errors: { stack: string }[] } };
  export default schema;
}
