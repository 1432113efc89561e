import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeApi } from '#domain/api/openapi/describe.ts';
import { clientSource } from './client/client-source.ts';

/** `npm run generate-client`: writes the generated part of sdk/client. A test checks that it is up to date. */
const file = join(import.meta.dirname, '../sdk/client/src/generated.ts');
writeFileSync(file, clientSource(describeApi()));
console.log(`Wrote ${file}.`);
