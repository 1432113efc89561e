import { useQuery } from '@tanstack/react-query';
import { readAnalytics } from '#domain/analytics/contract.ts';
import { reading } from '#web/platform/query-client.ts';

export const useAnalytics = () => useQuery(reading(readAnalytics, {}));
