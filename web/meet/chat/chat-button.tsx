import { Icon } from '../icons.tsx';
import { text } from '../texts.ts';
import { useStore } from '../use-store.ts';
import type { Chat } from './chat.ts';

export function ChatButton({ chat }: { chat: Chat }) {
  const { isOpen, unread } = useStore(chat);
  const label = unread > 0 ? text('controls.chatUnread', { count: unread }) : text('controls.chat');
  return (
    <button
      type="button"
      className="round"
      data-control="chat"
      data-on={isOpen || undefined}
      aria-label={label}
      aria-expanded={isOpen}
      title={label}
      onClick={() => (isOpen ? chat.close() : chat.open())}
    >
      <Icon name="chat" />
      {unread > 0 && (
        <span className="count" aria-hidden="true">
          {unread > 9 ? '9+' : unread}
        </span>
      )}
    </button>
  );
}
