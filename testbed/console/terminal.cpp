// Libedit (BSD licence) edits the line.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/console/terminal.hpp"

#include <histedit.h>

#include <algorithm>
#include <cwchar>
#include <memory>
#include <system_error>

#include "host/core/error.hpp"

namespace ocs::console {
namespace {

constexpr int history_lines = 1000;

struct LineEditor {
  Shell& shell;
  std::FILE* out;
};

char* prompt(EditLine*) {
  static char text[] = "regs> ";
  return text;
}

/// The longest beginning that all have.
std::string common(const std::vector<std::string>& names) {
  std::string text = names.front();
  for (const std::string& name : names)
    text.resize(static_cast<std::size_t>(std::mismatch(text.begin(), text.end(), name.begin(), name.end()).first -
                                         text.begin()));
  return text;
}

/// A blank follows a whole word; an index or a field goes on.
unsigned char complete(EditLine* editor, wint_t) {
  LineEditor* session = nullptr;
  el_get(editor, EL_CLIENTDATA, &session);
  const LineInfo* line = el_line(editor);
  const std::string before(line->buffer, line->cursor);
  const std::vector<std::string> found = session->shell.completions(before);
  if (found.empty()) return CC_REFRESH_BEEP;
  const std::size_t word = before.find_last_of(" \t") + 1;
  std::string put = common(found);
  if (found.size() == 1 && put.back() != '[') put += ' ';
  if (put.size() > before.size() - word) {
    el_deletestr(editor, static_cast<int>(before.size() - word));  // registers are written in capitals
    return el_insertstr(editor, put.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
  }
  std::fputc('\n', session->out);
  for (const std::string& name : found) std::fprintf(session->out, "%s  ", name.c_str());
  std::fputc('\n', session->out);
  return CC_REDISPLAY;
}

/// Lines of this and earlier sessions.
class Lines {
 public:
  explicit Lines(const std::filesystem::path& file) : file_(file), history_(history_init(), history_end) {
    HistEvent event;
    history(history_.get(), &event, H_SETSIZE, history_lines);
    history(history_.get(), &event, H_SETUNIQUE, 1);
    std::error_code missing;
    if (!file_.empty() && std::filesystem::is_regular_file(file_, missing))
      history(history_.get(), &event, H_LOAD, file_.c_str());
  }
  /// What can't be kept is no reason to fail.
  ~Lines() {
    HistEvent event;
    if (!file_.empty()) history(history_.get(), &event, H_SAVE, file_.c_str());
  }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  void add(const char* line) {
    HistEvent event;
    history(history_.get(), &event, H_ENTER, line);
  }
  History* get() { return history_.get(); }

 private:
  std::filesystem::path file_;
  std::unique_ptr<History, void (*)(History*)> history_;
};

}  // namespace

void converse(Shell& shell, const Terminal& terminal) {
  LineEditor session{shell, terminal.out};
  Lines lines(terminal.history);
  const std::unique_ptr<EditLine, void (*)(EditLine*)> editor(
      el_init("lightloop", terminal.in, terminal.out, terminal.error), el_end);
  if (!editor)
    throw Error(ErrorKind::run, "the terminal can't be used for editing; a script on standard input can be given");
  EditLine* el = editor.get();
  el_set(el, EL_CLIENTDATA, &session);
  el_set(el, EL_PROMPT, &prompt);
  el_set(el, EL_EDITOR, "emacs");
  el_set(el, EL_SIGNAL, 1);
  el_set(el, EL_HIST, history, lines.get());
  // The function that takes narrow strings here would copy them and never give them back.
  el_wset(el, EL_ADDFN, L"complete-name", L"completes commands, registers and fields", &complete);
  el_set(el, EL_BIND, "^I", "complete-name", nullptr);
  std::fprintf(terminal.out, "%s; `help` lists commands\n", shell.identity().c_str());
  std::fflush(terminal.out);
  for (bool going = true; going;) {
    int size = 0;
    const char* line = el_gets(el, &size);
    if (line == nullptr || size <= 0) break;
    std::string text(line, static_cast<std::size_t>(size));
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
    if (!text.empty()) lines.add(line);
    try {
      going = shell.execute(text);
    } catch (const Error& failure) {
      std::fprintf(terminal.error, "%s\n", failure.what());
    }
  }
}

}  // namespace ocs::console
