// The AI SDK by the Responses API, by chat completions and for vectors. Prints what came of it.
import { createOpenAI } from "@ai-sdk/openai";
import { embed, generateText, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";

const [baseURL, apiKey] = process.argv.slice(2);
const openai = createOpenAI({ baseURL, apiKey });
const model = openai.responses("keepsake");
const prompt = "What should I not cook?";

const whole = await generateText({ model, prompt });
let streamed = "";
for await (const piece of streamText({ model, prompt }).textStream) streamed += piece;
const continued = await generateText({
  model,
  prompt: "And what else?",
  providerOptions: { openai: { previousResponseId: whole.response.id } },
});
const weather = tool({
  description: "The weather of a city.",
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => `sunny in ${city}`,
});
const withTool = await generateText({
  model,
  prompt: "How is the weather?",
  tools: { weather },
  stopWhen: stepCountIs(3),
});
const chat = await generateText({ model: openai.chat("keepsake"), prompt });
const vector = await embed({ model: openai.embedding("any"), value: "peanuts" });
console.log(
  JSON.stringify({
    whole: whole.text,
    streamed,
    continued: continued.text,
    withTool: withTool.text,
    steps: withTool.steps.length,
    chat: chat.text,
    dimensions: vector.embedding.length,
  }),
);
