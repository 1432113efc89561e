import { Navigate, useLocation } from 'react-router';

/** Redirects the spec's un-prefixed paths to the same page under /app (docs/product-decisions.md, Paths). */
export function PrefixRedirect() {
  const { pathname, search, hash } = useLocation();
  return <Navigate to={{ pathname: `/app${pathname}`, search, hash }} replace />;
}
