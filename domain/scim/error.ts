/** RFC 7644, table 9. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue';

/** An error in SCIM's own format (RFC 7644, 3.12). `message` is for readers of the directory's log. */
export class ScimError extends Error {
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, message: string, scimType?: ScimType) {
    super(message);
    this.name = 'ScimError';
    this.status = status;
    this.scimType = scimType;
  }
}

export const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error';

export const scimErrorBody = (status: number, detail: string, scimType?: ScimType) => ({
  schemas: [errorSchema],
  status: String(status),
  ...(scimType ? { scimType } : {}),
  detail,
});

export const badFilter = (detail: string) => new ScimError(400, detail, 'invalidFilter');
export const badPath = (detail: string) => new ScimError(400, detail, 'invalidPath');
export const badValue = (detail: string) => new ScimError(400, detail, 'invalidValue');
export const badSyntax = (detail: string) => new ScimError(400, detail, 'invalidSyntax');
/** No token, or one that was revoked or has expired, possibly since the request began. */
export const tokenRefused = () =>
  new ScimError(401, 'Send a token of Settings, Provisioning, as “Authorization: Bearer …”.');
export const unknownResource = () => new ScimError(404, 'There is no such resource.');
