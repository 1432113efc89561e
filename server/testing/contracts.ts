import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Permission } from '#domain/auth/permissions.ts';
import type { Contract } from '#domain/contract.ts';

const domain = join(import.meta.dirname, '../../domain');

const isContract = (value: unknown): value is Contract =>
  typeof value === 'object' && value !== null && 'method' in value && 'output' in value;

/**
 * Returns every endpoint that a feature declares, so that new ones are in the matrix tests
 * automatically.
 */
export async function allContracts(): Promise<Contract[]> {
  const nouns = readdirSync(domain, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const found = new Map<string, Contract>();
  for (const { name } of nouns) {
    const module: Record<string, unknown> = await import(join(domain, name, 'contract.ts')).catch(
      () => ({}),
    );
    for (const value of Object.values(module)) {
      if (isContract(value)) found.set(`${value.method} ${value.path}`, value);
    }
  }
  return [...found.values()];
}

export type TenantContract = Contract & { permission: Permission };

/** Returns the endpoints that access an organization's data. */
export const ofTenants = (contracts: Contract[]) =>
  contracts.filter(
    (contract): contract is TenantContract =>
      contract.permission !== 'public' && contract.permission !== 'session',
  );
