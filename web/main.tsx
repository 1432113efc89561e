import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { AuthProvider } from '#web/auth/auth-provider.tsx';
import { currentUserQuery } from '#web/auth/queries.ts';
import { boot } from '#web/platform/boot.ts';
import { watchHistory } from '#web/platform/history-guard.ts';
import { newQueryClient } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { showTheme, storedTheme } from '#web/platform/theme.ts';
import { App } from '#web/routes.tsx';
import { showCarriedToast } from '#web/ui/toast-store.ts';
import { Toaster } from '#web/ui/toaster.tsx';
import { TooltipProvider } from '#web/ui/tooltip.tsx';

const queryClient = newQueryClient();
if (boot.user) queryClient.setQueryData(currentUserQuery.queryKey, boot.user);

watchHistory();
showTheme(storedTheme());

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root');

// Without StrictMode, which mounts twice in development: a call would be opened and closed again.
createRoot(root).render(
  <QueryClientProvider client={queryClient}>
    <AuthProvider>
      <TooltipProvider>
        <BrowserRouter>
          <App />
        </BrowserRouter>
        <Toaster label={t('common.notifications')} closeLabel={t('common.dismiss')} />
      </TooltipProvider>
    </AuthProvider>
  </QueryClientProvider>,
);
showCarriedToast();
