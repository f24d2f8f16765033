import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app";
import "./style.css";

// The SDK tells the error of a thread's history, which is shown, and leaves its promise unhandled as well.
addEventListener("unhandledrejection", (event) => {
  if (typeof (event.reason as { status?: unknown } | null)?.status === "number") event.preventDefault();
});

createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
