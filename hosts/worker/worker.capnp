using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .deals)],
  sockets = [(name = "http", http = (), service = "main")],
);

const deals :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "dist/worker.js")],
  # for process.env in users.ts
  compatibilityFlags = ["nodejs_compat"],
  compatibilityDate = "2026-10-01",
);
