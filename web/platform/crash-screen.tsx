import { Component, type ReactNode } from 'react';
import { t } from '#web/platform/texts.ts';
import { FailedState } from '#web/ui/failed-state.tsx';

/** Shown when a page throws, or when its code cannot be loaded after an update. */
export class CrashScreen extends Component<{ children: ReactNode }, { crashed: boolean }> {
  override state = { crashed: false };

  static getDerivedStateFromError() {
    return { crashed: true };
  }

  override render() {
    if (!this.state.crashed) return this.props.children;
    return (
      <FailedState
        title={t('crashed.title')}
        text={t('crashed.text')}
        retryLabel={t('crashed.reload')}
        onRetry={() => window.location.reload()}
      />
    );
  }
}
