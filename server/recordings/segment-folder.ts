import { type OrgId, type RecordedSegmentId, recordedSegmentId } from '#domain/ids.ts';

/** The folder of all recordings of an organization: one folder for each segment. */
export const recordingsFolder = (org: OrgId) => `${org}/recordings`;

/** Everything that is stored of a segment. The database names it, too (migration 0053). */
export const segmentFolder = (org: OrgId, segment: RecordedSegmentId) =>
  `${recordingsFolder(org)}/${segment}`;

export const partsFolder = (org: OrgId, segment: RecordedSegmentId) =>
  `${segmentFolder(org, segment)}/parts`;

/** The picture that stands for a segment. */
export const posterKey = (org: OrgId, segment: RecordedSegmentId) =>
  `${segmentFolder(org, segment)}/poster`;

/** Where a media server writes its file of a segment, as the only part, under this name and an extension. */
export const egressKey = (org: OrgId, segment: RecordedSegmentId) =>
  `${partsFolder(org, segment)}/egress`;

/** Returns the segment of a media server's file; null for another file, or another organization's. */
export function segmentOfEgress(org: OrgId, key: string): RecordedSegmentId | null {
  const [, , segment] = key.split('/');
  const { data } = recordedSegmentId.safeParse(segment);
  return data && key === egressKey(org, data) ? data : null;
}
