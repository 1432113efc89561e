-- The words of a text in writing without spaces took time quadratic in its length. The result is the same.
create or replace function search_vector_of_words(source text) returns tsvector
language plpgsql immutable parallel safe as $$
declare
  folded text := search_folded(source);
  unspaced constant text :=
    '[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3021-\u302f\u3031-\u312f\u31f0-\u31ff\u3400-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]';
begin
  if folded !~ unspaced then
    return coalesce((
      select string_agg(left(word, 60) || ':' || least(at, 16383), ' ')
      from string_to_table(trim(folded), ' ') with ordinality as words (word, at) where word <> ''
    ), '')::tsvector;
  end if;
  return coalesce((
    with pieces as (
      select piece, n, piece ~ unspaced as is_unspaced
      from string_to_table(regexp_replace(folded, '(' || unspaced || '+)', ' \1 ', 'g'), ' ')
        with ordinality as p (piece, n)
      where piece <> ''
    ), placed as (
      select piece, n, is_unspaced,
        sum(case when is_unspaced then length(piece) else 1 end) over (order by n)
          - case when is_unspaced then length(piece) else 1 end as place
      from pieces
    ), words as (
      select left(piece, 60) as word, place + 1 as at from placed where not is_unspaced
      union all
      select letter || coalesce(lead(letter) over (partition by n order by i), ''), place + i
      from placed, string_to_table(piece, null) with ordinality as letters (letter, i)
      where is_unspaced
    )
    select string_agg(word || ':' || least(at, 16383), ' ' order by at) from words
  ), '')::tsvector;
end $$;
