import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { PublicPage, RenderPublicPage } from '#domain/public/pages.ts';
import { AboutPage } from '#web/public/about-page.tsx';
import { ApiPage } from '#web/public/api/api-page.tsx';
import { ContactPage } from '#web/public/contact-page.tsx';
import { Document } from '#web/public/document.tsx';
import { FeaturesPage } from '#web/public/features-page.tsx';
import { HomePage } from '#web/public/home-page.tsx';
import { PageContext } from '#web/public/page-context.ts';
import { SignupPage } from '#web/public/signup-page.tsx';

const bodies: Record<PublicPage, ReactNode> = {
  home: <HomePage />,
  features: <FeaturesPage />,
  about: <AboutPage />,
  contact: <ContactPage />,
  signup: <SignupPage />,
  api: <ApiPage />,
};

/** Renders a public page as HTML. No React code reaches the browser. */
export const render: RenderPublicPage = (input) => {
  const page = (
    <PageContext value={input}>
      <Document>{bodies[input.page]}</Document>
    </PageContext>
  );
  return `<!doctype html>${renderToStaticMarkup(page)}`;
};
