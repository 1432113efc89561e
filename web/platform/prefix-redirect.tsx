import { Navigate, useLocation } from 'react-router';

/** The spec's un-prefixed paths lead to the same page under /app (docs/product-decisions.md, Paths). */
export function PrefixRedirect() {
  const { pathname, search, hash } = useLocation();
  return <Navigate to={{ pathname: `/app${pathname}`, search, hash }} replace />;
}
