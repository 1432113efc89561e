import type { OrgId, RecordedSegmentId } from '#domain/ids.ts';

/** The folder of all recordings of an organization: one folder for each segment. */
export const recordingsFolder = (org: OrgId) => `${org}/recordings`;

/** Everything that is stored of a segment. The database names it, too (migration 0053). */
export const segmentFolder = (org: OrgId, segment: RecordedSegmentId) =>
  `${recordingsFolder(org)}/${segment}`;

export const partsFolder = (org: OrgId, segment: RecordedSegmentId) =>
  `${segmentFolder(org, segment)}/parts`;
