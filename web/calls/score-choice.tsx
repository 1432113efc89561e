const scores = Array.from({ length: 11 }, (_, score) => score);

interface ScoreChoiceProps {
  label: string;
  score: number | null;
  onChoose: (score: number) => void;
}

/** 0 to 10 as one group of radio buttons: arrow keys move, a click chooses. */
export function ScoreChoice({ label, score, onChoose }: ScoreChoiceProps) {
  return (
    <fieldset>
      <legend className="mb-2 text-sm text-muted-foreground">{label}</legend>
      <div className="grid grid-cols-6 gap-1.5 sm:grid-cols-11">
        {scores.map((each) => (
          <label
            key={each}
            className="relative grid h-10 cursor-pointer place-items-center rounded-md border text-sm font-medium tabular-nums select-none hover:bg-muted has-checked:border-transparent has-checked:bg-brand has-checked:text-brand-text has-checked:inset-ring has-checked:inset-ring-brand-edge has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--ring)"
          >
            <input
              type="radio"
              name="score"
              value={each}
              checked={score === each}
              onChange={() => onChoose(each)}
              className="absolute inset-0 cursor-pointer appearance-none rounded-md"
            />
            {each}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
