import { labeledSets } from './trouble/labeled-sets.ts';
import { train } from './trouble/training.ts';
import { troubleScore } from '../server/providers/ai/offline/trouble.ts';
const all=labeledSets();
const zs=[...new Set(all.map(n=>n.set))].flatMap(s=>{const w=train(all.filter(n=>n.set!==s));return all.filter(n=>n.set===s).map(n=>({z:troubleScore(n.features,w),b:(w.get('always')??0)+(w.get('always '+n.language)??0),u:n.isUnhappy,s,l:n.language,n:n.features.size,k:[...n.features.keys()].filter(k=>w.has(k)).length}))});
const sets=[...new Set(zs.map(z=>z.s))];
const rules:Record<string,(z:any)=>boolean>={};for(const t of [-.6,-.4,-.2,0])rules[String(t)]=z=>z.z>t;
for(const[n,r]of Object.entries(rules))console.log(n.padEnd(8),sets.map(s=>{const of=zs.filter(z=>z.s===s);const f=(u:boolean)=>of.filter(z=>z.u===u);const p=(a:any[])=>Math.round(100*a.filter(r).length/a.length);return s.replace(' judge','').replace('round ','r').replace(' notes','')+' '+p(f(true))+'/'+p(f(false))}).join(' | '),'ALL',(100*zs.filter(z=>z.u&&r(z)).length/zs.filter(z=>z.u).length).toFixed(1),(100*zs.filter(z=>!z.u&&r(z)).length/zs.filter(z=>!z.u).length).toFixed(1));
