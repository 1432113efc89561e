interface RoomAttributes {
  /** The address of a guest link, instead of `room` and `token`. */
  link: string | null;
  room: string | null;
  token: string | null;
  /** Rapport's address. */
  server: string | null;
}

/**
 * Returns the address of the meeting page for an element's attributes; null while one is missing.
 * @throws TypeError for an address that is not one of Rapport's guest pages
 */
export function roomAddress({ link, room, token, server }: RoomAttributes): URL | null {
  if (link) {
    const address = webAddress(link);
    if (!/^\/join\/[\w-]+$/.test(address.pathname))
      throw new TypeError(`Not a guest link: ${link}`);
    return address;
  }
  if (!room || !token || !server) return null;
  const path = `/embed/${encodeURIComponent(room)}/${encodeURIComponent(token)}`;
  return new URL(path, webAddress(server));
}

/** Anything else, such as `javascript:`, would run with the rights of the page around the frame. */
function webAddress(text: string): URL {
  const address = new URL(text);
  if (!/^https?:$/.test(address.protocol)) throw new TypeError(`Not a web address: ${text}`);
  return address;
}
