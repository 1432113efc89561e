import { z } from 'zod';

export const crmVendors = ['hubspot', 'salesforce'] as const;
export const crmVendor = z.enum(crmVendors);
export type CrmVendor = z.infer<typeof crmVendor>;
export const vendorNames = { hubspot: 'HubSpot', salesforce: 'Salesforce' } as const;

/** Of a call. Action items become tasks, which have no property. */
export const textParts = ['notes', 'score', 'summary'] as const;
export type TextPart = (typeof textParts)[number];

const property = z
  .string()
  .trim()
  .regex(
    /^[a-z][a-z0-9_]{0,99}$/i,
    'Please enter the internal name of a property, like rapport_score',
  )
  // These are set by Rapport.
  .refine((name) => !/^hs_/i.test(name) && !standardFields.has(name.toLowerCase()), {
    error: 'Please enter a property of your own, not one of the CRM’s',
  });
const standardFields = new Set(
  ['subject', 'description', 'status', 'whoid', 'whatid', 'ownerid', 'activitydate', 'id'].concat([
    'priority',
    'tasksubtype',
    'callobject',
    'calldurationinseconds',
  ]),
);
const mappingWith = (name: z.ZodType<string, string>) => {
  const textPart = z.object({
    isSent: z.boolean(),
    /** A custom property of the call that gets it; null: it is part of the call's text. */
    property: name.nullable(),
  });
  return z.object({
    notes: textPart,
    score: textPart,
    summary: textPart,
    actionItems: z.object({ isSent: z.boolean() }),
  });
};

/** As it is answered: the rules are for what is sent to us. */
export const storedMapping = mappingWith(z.string());
/** What of a call goes to the CRM. */
export const crmMapping = mappingWith(property).refine(hasDistinctProperties, {
  error: 'Please use each property only once',
  path: ['summary', 'property'],
});
export type CrmMapping = z.infer<typeof crmMapping>;

function hasDistinctProperties(mapping: z.infer<typeof storedMapping>): boolean {
  const names = textParts.flatMap((part) => mapping[part].property?.toLowerCase() ?? []);
  return new Set(names).size === names.length;
}

export const defaultMapping: CrmMapping = {
  notes: { isSent: true, property: null },
  score: { isSent: true, property: null },
  summary: { isSent: true, property: null },
  actionItems: { isSent: true },
};
