#include "generator/expression/github_text.h"

#include <algorithm>
#include <functional>
#include <string>

#include "base/text.h"
#include "generator/yaml/node.h"

namespace wheelwright {
namespace {

// `inputs`, and github.event.inputs with those of workflow_dispatch.
bool IsInputs(const Expr& expr) {
  if (IsContext(expr, "inputs")) return true;
  const auto name = PropertyName(expr);
  if (!name || !EqualsIgnoringCase(*name, "inputs")) return false;
  const auto event = PropertyOf(*expr.operands[0], "github");
  return event && EqualsIgnoringCase(*event, "event");
}

void AddUses(const Expr& expr, GithubText& text) {
  if (expr.kind == ExprKind::kName && EqualsAnyIgnoringCase(expr.name, {"steps", "matrix"})) {
    text.depends_on_job = true;
  }
  if (IsContext(expr, "needs")) text.needs.all = true;
  if (IsInputs(expr)) text.inputs.all = true;
  if (const auto name = PropertyName(expr)) {
    const bool needs = IsContext(*expr.operands[0], "needs");
    if (needs || IsInputs(*expr.operands[0])) {
      (needs ? text.needs : text.inputs).names.push_back(*name);
      return;
    }
  }
  for (const Expr* operand : expr.operands) AddUses(*operand, text);
}

// The length of format('text {0} text', a, b), where quotes and braces of the text are doubled.
std::size_t LengthOf(std::string_view text, const GithubText& parsed) {
  if (parsed.error) return text.size();
  if (parsed.whole) return Trim(parsed.expressions[0].text).size();
  std::size_t length = std::string_view("format('')").size();
  std::size_t at = 0;
  const auto add_text = [&](std::string_view part) {
    length += part.size();
    length += static_cast<std::size_t>(
        std::ranges::count_if(part, [](char c) { return c == '\'' || c == '{' || c == '}'; }));
  };
  for (std::size_t i = 0; i < parsed.expressions.size(); ++i) {
    const GithubText::Expression& one = parsed.expressions[i];
    add_text(text.substr(at, one.at.begin - at));
    length += std::to_string(i).size() + 2 + 2 + Trim(one.text).size();
    at = one.at.end;
  }
  add_text(text.substr(at));
  return length;
}

GithubText Parse(std::string_view text, bool condition, Arena& arena) {
  GithubText parsed;
  if (text.find("${{") != std::string_view::npos) {
    std::vector<Embedded> found;
    parsed.error = FindEmbedded(text, Brackets::kGithub, found);
    for (const Embedded& one : found) {
      const std::string_view inner = text.substr(one.inner_begin, one.inner_end - one.inner_begin);
      parsed.expressions.push_back({one, inner, ParseExpression(inner, arena), {}});
    }
    parsed.whole =
        !parsed.error && found.size() == 1 && found[0].begin == 0 && found[0].end == text.size();
  } else if (condition && !Trim(text).empty()) {
    parsed.expressions.push_back(
        {{0, text.size(), 0, text.size()}, text, ParseExpression(text, arena), {}});
    parsed.whole = true;
  } else {
    return parsed;
  }
  parsed.valid = !parsed.error;
  for (GithubText::Expression& one : parsed.expressions) {
    if (one.parsed.root == nullptr) {
      parsed.valid = false;
      one.values.emplace_back();
    } else {
      AddUses(*one.parsed.root, parsed);
      one.values = PossibleValuesOf(*one.parsed.root);
    }
  }
  if (const Expr* sole = parsed.sole()) parsed.when = ConditionOf(*sole);
  parsed.depends_on_job = parsed.depends_on_job || parsed.needs.any();
  parsed.length = LengthOf(text, parsed);
  return parsed;
}

}  // namespace

const GithubText* SharedGithubTexts::Find(std::string_view text, bool condition) {
  const std::size_t hash = std::hash<std::string_view>()(text);
  Shard& shard = shards_[hash % shards_.size()];
  std::atomic<const Item*>& head = shard.heads[hash / shards_.size() % shard.heads.size()];
  const auto search = [&]() -> const GithubText* {
    const Item* item = head.load(std::memory_order_acquire);
    while (item != nullptr && item->text != text) item = item->next;
    return item != nullptr ? &item->parsed : nullptr;
  };
  if (const GithubText* found = search()) return found;
  const std::scoped_lock lock(shard.mutex);
  if (const GithubText* found = search()) return found;
  if (shard.items.size() >= kMostInShard) return nullptr;
  const std::string_view copy = shard.arena.Copy(text);
  const Item& item =
      shard.items.emplace_back(copy, Parse(copy, condition, shard.arena), head.load());
  head.store(&item, std::memory_order_release);
  return &item.parsed;
}

const GithubText& GithubTexts::Of(std::string_view text, bool condition) {
  static const GithubText kNone;
  if (!condition && text.find("${{") == std::string_view::npos) return kNone;
  if (2 * (used_ + 1) > slots_.size()) Grow();
  Slot& slot = SlotOf(text);
  if (slot.parsed != nullptr) return *slot.parsed;
  slot = {text.data(), text.size(), shared_ != nullptr ? shared_->Find(text, condition) : nullptr};
  ++used_;
  if (slot.parsed == nullptr) {
    const auto [at, fresh] = own_.try_emplace(text);
    if (arena_ == nullptr) arena_ = std::make_unique<Arena>();
    if (fresh) at->second = Parse(text, condition, *arena_);
    slot.parsed = &at->second;
  }
  return *slot.parsed;
}

void GithubTexts::Clear() {
  slots_.clear();
  used_ = 0;
  own_.clear();
  arena_.reset();
}

GithubTexts::Slot& GithubTexts::SlotOf(std::string_view text) {
  const std::size_t mask = slots_.size() - 1;
  const auto address = reinterpret_cast<std::uintptr_t>(text.data());
  std::size_t at = (address ^ (address >> 12)) * 0x9E3779B97F4A7C15u >> 20;
  for (;; ++at) {
    Slot& slot = slots_[at & mask];
    if (slot.parsed == nullptr || (slot.begin == text.data() && slot.size == text.size())) {
      return slot;
    }
  }
}

void GithubTexts::Grow() {
  std::vector<Slot> old(std::max<std::size_t>(256, 2 * slots_.size()));
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.parsed != nullptr) SlotOf({slot.begin, slot.size}) = slot;
  }
}

}  // namespace wheelwright
