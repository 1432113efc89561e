/** Words for who acts, and what they stand for. */
export const selves: Record<string, string> = {
  me: 'me',
  i: 'me',
  undersigned: 'me',
  'the undersigned': 'me',
  'yours truly': 'me',
  myself: 'me',
  ich: 'me',
  mir: 'me',
  csm: 'me',
  us: 'us',
  we: 'us',
  wir: 'us',
  uns: 'us',
  'our side': 'us',
  'our end': 'us',
  'from our side': 'us',
  'on us': 'us',
  'from us': 'us',
  'bei uns': 'us',
  'von uns': 'us',
  'an uns': 'us',
  'unsere seite': 'us',
  customer: 'customer',
  client: 'customer',
  'the customer': 'customer',
  'customer side': 'customer',
  'their side': 'customer',
  'on them': 'customer',
  'from them': 'customer',
  them: 'customer',
  they: 'customer',
  kunde: 'customer',
  kundin: 'customer',
  'der kunde': 'customer',
  'die kundin': 'customer',
  kundenseite: 'customer',
  'bei denen': 'customer',
  'bei ihnen': 'customer',
  'beim kunden': 'customer',
  'vom kunden': 'customer',
  kd: 'customer',
  he: 'customer',
  she: 'customer',
  er: 'customer',
  sie: 'customer',
  die: 'customer',
  cust: 'customer',
};

/** Common first names, so that a name in lower case is told from a word. */
const lowerNames =
  'adam|alex|amy|andrea|andy|anna|anne|ben|bob|carla|carlos|chris|claire|dan|dana|daniel|dave|david|diana|ed|elena|emily|emma|eric|eva|felix|finn|frank|fred|greg|hans|helen|henry|ian|jack|james|jan|jane|jean|jen|jenny|jim|joe|john|jonas|josh|judy|julia|karl|kate|kevin|kim|lars|laura|lea|lena|leo|linda|lisa|liz|lucas|luis|lukas|maria|marco|mike|max|mia|miguel|nadia|nick|nina|nora|olga|oliver|omar|paul|paula|pete|peter|petra|pia|priya|raj|ralf|rita|rob|rosa|ruth|sam|sandra|sara|sarah|simon|sofia|steve|sue|susan|sven|tanja|theo|thomas|tim|tina|tobias|tom|uwe|vera|yusuf|zoe';
const lowerName = new RegExp(`^(?:${lowerNames})$`);
export const isLowerName = (word: string) => lowerName.test(word);

/** What stands in brackets after a name. */
export const roles =
  'ops|it|hr|legal|sales|product|finance|marketing|support|eng|engineering|lead|head|manager|admin|owner|reseller|ours|their|our|new|ciso|cto|cfo|ceo|coo|cio|vp|risk|plant|procurement|security|design|billing|leitung|pflege|produktion|werkstatt|vertrieb|produkt|einkauf|technik|buchhaltung|entwicklung|neu|unser|chef|ärztl|sekretariat';

/** Words in a name's place that are none: days, months, labels of notes, things. */
export const notPeople =
  /^(?:mon|tue|wed|thu|fri|sat|sun|tues|weds|thurs|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mo|di|mi|do|fr|sa|so|\p{L}*tag|woche|monat|jahr|stück|uhr|week|month|year|day|mittwoch|today|tomorrow|tmrw|tonight|heute|morgen|jan\w*|feb\w*|mar|march|apr\w*|may|jun|june|jul|july|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*|mär\w*|mai|juni|juli|okt\w*|dez\w*|eod|eow|eom|asap|q[1-4]|ok|tbd|done|none|yes|no|ja|nein|keine|confirmed|pending|urgent|high|low|p[0-3]|ceo|cto|cfo|coo|vp|hr|frankfurt|berlin|vienna|wien|london|api|sso|crm|eu|us|usa|the|a|an|this|that|it|its|there|what|who|when|where|if|also|both|each|every|some|all|not|only|she|he|sie|er|es|you|someone|somebody|everyone|everybody|nobody|anybody|people|ppl|things?|one|none|two|three|nothing|everything|usage|adoption|renewal|training|trainings?|onboarding|offboarding|budget|price|prices|pricing|contract|invoice|export|import|dashboard|search|suche|ui|audio|video|calls?|meetings?|reports?|users?|agents?|customers?|nps|csat|next|last|exec|management|recordings?|webhooks?|integration|feature|features|tickets?|data|quality|migration|workshops?|seats?|champion|churn|their|our|your|my|his|her|team|re|fyi|ps|nb|q|a|f|qs|goals?|ziele?|status|nutzung|plätze|lizenzen|verlängerung|reason|grund|gründe|preise?|tone|stimmung|upsell|topics?|themen?|thema|agenda|notes?|notizen|open|offen|erledigt|block\w*|yesterday|gestern|risks?|risik\w+|context|decisions?|entscheidung|attendees|teilnehmer|hosting|summary|fazit|cover|backup|vertretung|contact|kontakt|sponsor|buyer|wunsch|wünsche|fragen?|questions?|issues?|problems?|probleme?|problemlos|feedback|update|updates|kickoff|termin|termine|gespräch|deadline|frist|due|but|aber|pros?|cons?|good|bad|gut|schlecht|mood|health|quote|zitat|transcript|background|hintergrund|plan|idea|ideas|idee|ideen|result|ergebnis|compliance|vertrag|account|industry|size|mrr|arr|date|datum|said|note|success|wins?|highlights?|facts|fakten|timeline|zeitplan|present|anwesend|with|mit|wer|dabei|main|uses|missing|fehlt|history|historie|pain|start|go-live|launch|parking|der|die|das|ein|eine|danach|dann|viel|sehr|auch|noch|schon|und|and|bitte|please|kurz|mail|folien|angebot|wie|wenn|wann|seit|lob|praise|qbr|rfp|dpa|rca|nda|sla|vpn|pdf|csv|po|assistant|system|user|bot|scope|umfang|reqs|volumes|alt|old|neu|new|current|previous|used|agreed|told|asked|promised|said|sent|pilot|billing|app|sync|portal|platform|server|outage|because|since|then|so|yes|still|now|they|wir|ich|we|i|me|and|or|vorjahr|vorher|nachher|wants?|had|thanks|thank|talk|talked|needs?|bis|am|ab|zum|by|before|after|end|ende|anfang|mitte|our|their|we|both|each|wieder|again|keiner|niemand|alle|alles|vorstand|geschäftsführer|leitung|chefin?|boss|board|management|captain|lovely|great|nice|glad|happy|pleased|sorry|none|subject|undersigned|refunds?|credits?|discount|fix|fixes|workaround|bugs?|release|rollout|roadmap|security|pentest|surveys?|reviews?|demos?|webinar|newsletter|reference|templates?|mapping|backups?|hardware|tablets?|scanners?|printers?|access|accounts|docs|documentation|forms?|letters?|lists?|posters?|slides|deck|scripts?|logs?|numbers|figures|stats|reporting|analytics|licen[cs]es?|orders?|shipments?|delivery|payments?|statements?|wording|permissions?|roles?|duplicates?|replacement|replacements|reconnect|intro|exit|prep|recap|callback|escalation|outages|protokolle?|lob|recht|schulung|zugang|zugänge|rollen?|listen?|muster|vorlagen?|ersatz|drucker|konto|konten|bestellung|lieferung|zahlung|mahnung|anfragen?|antwort|rückruf|rückmeldung|abgleich|auswertung|berichte?|übersicht|entwurf|freigabe|korrektur|gutschrift|erstattung|nachtrag|formular|fragebogen|folie|gründe|frist|duplikate|regeltermin|testlauf|probelauf|wartezeit|premiere)$/iu;
