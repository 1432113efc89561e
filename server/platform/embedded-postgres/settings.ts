/** PostgreSQL splits lists at commas unless the items are quoted. */
function quoted(path: string): string {
  return `"${path.replaceAll('"', '""')}"`;
}

/**
 * Returns the server's settings as arguments, which override its files, so that an old cluster
 * follows a new Rapport.
 */
export function serverSettings(socketFolder: string): string[] {
  const settings = {
    listen_addresses: '',
    port: '5432', // only names the socket
    unix_socket_directories: quoted(socketFolder),
    unix_socket_permissions: '0700',
    max_connections: '60',

    fsync: 'on',
    full_page_writes: 'on',

    // Small, because the page cache does the rest, and an idle Rapport is to stay below 350 MB.
    shared_buffers: '64MB',
    work_mem: '8MB',
    maintenance_work_mem: '32MB',
    effective_cache_size: '512MB',
    max_wal_size: '256MB',
    max_worker_processes: '4',
    max_parallel_workers_per_gather: '1',
    max_wal_senders: '0',
    autovacuum_max_workers: '2',
    io_method: 'sync',
    jit: 'off',
    huge_pages: 'off',
    // Not in /dev/shm, which has 64 MB in a container and is emptied by systemd when a user logs
    // out.
    dynamic_shared_memory_type: 'mmap',

    // The app reports failed statements. PostgreSQL's log would include their text, and with it
    // people's words.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    log_timezone: 'UTC',
    timezone: 'UTC',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
