interface Env {
  LISTS: DurableObjectNamespace<import("./reminder-list").ReminderList>;
  TALLY: DurableObjectNamespace<import("./tally").Tally>;
}
