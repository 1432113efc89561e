export const callPath = (id: string) => `/app/rooms/${id}/call`;
export const isCallPath = (path: string) => /^\/app\/rooms\/[^/]+\/call\/?$/.test(path);
