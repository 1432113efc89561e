import { useQuery } from '@tanstack/react-query';
import type { OrgId } from '#domain/ids.ts';
import { readOrganization } from '#domain/organizations/contract.ts';
import { reading } from '#web/platform/query-client.ts';

export const useOrganization = (orgId: OrgId) =>
  useQuery(reading(readOrganization, { params: { orgId } })).data;
