#ifndef PIPIT_CEDIT_SHIM_H
#define PIPIT_CEDIT_SHIM_H

// Swift calls neither variadic functions nor stdio's global streams: one line for each use.

#include <histedit.h>
#include <stdio.h>

typedef unsigned char (*pipit_edit_function)(EditLine *, wint_t);

static inline EditLine *pipit_edit_open(const char *program) {
  return el_init(program, stdin, stdout, stderr);
}
static inline int pipit_edit_set_editor(EditLine *edit, const wchar_t *name) {
  return el_wset(edit, EL_EDITOR, name);
}
static inline int pipit_edit_set_prompt(EditLine *edit, wchar_t *(*prompt)(EditLine *), int delimiter) {
  return el_wset(edit, EL_PROMPT_ESC, prompt, delimiter);
}
static inline int pipit_edit_set_history(EditLine *edit, HistoryW *history) {
  return el_wset(edit, EL_HIST, history_w, history);
}
static inline int pipit_edit_set_reader(EditLine *edit, el_rfunc_t reader) {
  return el_wset(edit, EL_GETCFN, reader);
}
static inline int pipit_edit_set_data(EditLine *edit, void *data) {
  return el_wset(edit, EL_CLIENTDATA, data);
}
static inline void *pipit_edit_data(EditLine *edit) {
  void *data = NULL;
  return el_wget(edit, EL_CLIENTDATA, &data) == 0 ? data : NULL;
}
static inline int pipit_edit_add_function(EditLine *edit, const wchar_t *name, const wchar_t *help, pipit_edit_function function) {
  return el_wset(edit, EL_ADDFN, name, help, function);
}
static inline int pipit_edit_bind(EditLine *edit, const wchar_t *key, const wchar_t *function) {
  return el_wset(edit, EL_BIND, key, function, NULL);
}
static inline int pipit_edit_set_terminal_mode(EditLine *edit, const wchar_t *when, const wchar_t *mode) {
  return el_wset(edit, EL_SETTY, when, mode, NULL);
}
static inline int pipit_edit_prepare_terminal(EditLine *edit, int on) {
  return el_wset(edit, EL_PREP_TERM, on);
}
static inline int pipit_edit_refresh(EditLine *edit) {
  return el_wset(edit, EL_REFRESH);
}
static inline int pipit_history_set_size(HistoryW *history, int size) {
  HistEventW event;
  return history_w(history, &event, H_SETSIZE, size);
}
static inline int pipit_history_set_unique(HistoryW *history, int on) {
  HistEventW event;
  return history_w(history, &event, H_SETUNIQUE, on);
}
static inline int pipit_history_enter(HistoryW *history, const wchar_t *line) {
  HistEventW event;
  return history_w(history, &event, H_ENTER, line);
}

#endif
