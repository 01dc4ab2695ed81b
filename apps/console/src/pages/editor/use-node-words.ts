import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { type Sentences, sentencesIn } from "../../texts/node-types/sentences.ts";
import { useLanguage } from "../../texts/texts.tsx";

/** Says what the catalogue says in the language of the reader, without the marks of a document; in English until that has come. */
export function useNodeWords(): (english: string) => string {
  const { locale } = useLanguage();
  const { data } = useQuery({
    queryKey: ["node words", locale],
    queryFn: async (): Promise<Sentences> => (locale === "en" ? {} : sentencesIn[locale]()),
    staleTime: Infinity,
  });
  return useCallback((english) => (data?.[english] ?? english).replaceAll("`", ""), [data]);
}
