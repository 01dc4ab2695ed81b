import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useCallback } from "react";
import { sentencesIn, type Sentences } from "../../texts/node-types/sentences.ts";
import { useLanguage } from "../../texts/texts.tsx";

type Say = (english: string) => string;

/** Without the marks of a document. */
const plain = (text: string) => text.replaceAll("`", "");

const NodeWordsContext = createContext<Say>(plain);

/** Below it, what the catalogue of node types says is said in the language of the reader; in English until that has come. */
export function NodeWordsProvider({ children }: { children: ReactNode }): ReactNode {
  const { locale } = useLanguage();
  const { data } = useQuery({
    queryKey: ["node words", locale],
    queryFn: async (): Promise<Sentences> => (locale === "en" ? {} : sentencesIn[locale]()),
    staleTime: Infinity,
  });
  const say = useCallback<Say>((english) => plain(data?.[english] ?? english), [data]);
  return <NodeWordsContext value={say}>{children}</NodeWordsContext>;
}

export function useNodeWords(): Say {
  return use(NodeWordsContext);
}
