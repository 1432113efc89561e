import fastJson from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';
import { z } from 'zod';

/**
 * Serializes answers by their contract. Production uses a schema that drops fields which the contract
 * does not name, compiled at the first answer: compiling all of them took a fifth of a start. Tests
 * parse the answer, so that a wrong one fails.
 */
export function serializerCompiler(strict: boolean): FastifySerializerCompiler<z.ZodType> {
  return ({ schema: given, url, method }) => {
    const schema = given instanceof z.ZodType ? given : z.unknown();
    if (strict) {
      return (data) => {
        const parsed = schema.safeParse(data ?? null);
        if (parsed.success) return JSON.stringify(parsed.data);
        throw new Error(`${method} ${url} answers against its contract: ${parsed.error.message}`);
      };
    }
    let compiled: ((data: unknown) => string) | undefined;
    return (data) => {
      compiled ??= compile(schema);
      return compiled(data);
    };
  };
}

const compile = (schema: z.ZodType) =>
  fastJson(open(z.toJSONSchema(schema, { target: 'draft-7' })));

/** fast-json-stringify throws on extra keys of a union where `additionalProperties` is false. */
function open(schema: unknown): object {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    key === 'additionalProperties' && value === false ? undefined : value,
  );
}
