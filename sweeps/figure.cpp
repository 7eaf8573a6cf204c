// SPDX-License-Identifier: Apache-2.0
#include "sweeps/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "sweeps/verdict.hpp"

namespace warpmem::sweeps {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kPlot = 440;     // width of the plot
constexpr double kLetter = 7;     // of a text of 12 px, about
constexpr double kNumbers = 190;  // width of what stands behind the bars
constexpr double kTop = 44;
constexpr double kRow = 32;
constexpr double kBar = 11;
constexpr double kManyTimes = 40;  // from this ratio of values on the axis is logarithmic

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else
      out += c;
  }
  return out;
}

const char* colour(const std::string& verdict) {
  if (verdict == "near" || verdict == "holds") return "#1a7f37";
  if (verdict == "shape") return "#6aa84f";
  if (verdict == "weak") return "#d99a00";
  if (verdict == "differs") return "#c62828";
  if (verdict == "refuted") return "#5e35b1";
  return "#888888";
}

/// From values to places on the axis.
class Scale {
 public:
  explicit Scale(const Json& rows) {
    double least_above = 0;
    const auto take = [&](double value) {
      low_ = std::min(low_, value);
      high_ = std::max(high_, value);
      if (value > 0 && (least_above == 0 || value < least_above)) least_above = value;
    };
    for (const Json& row : rows)
      for (const char* key : {"low", "high", "limit", "value"})
        if (row.contains(key)) take(row[key].get<double>());
    // On such an axis a small effect would look like a good part of a large one.
    const bool effects = std::any_of(rows.begin(), rows.end(), [](const Json& row) {
      const auto unit = row["unit"].get<std::string>();
      return unit == "gain, %" || unit == "reduction, %" || unit == "loss, %";
    });
    logarithmic_ = !effects && low_ >= 0 && least_above > 0 && high_ > kManyTimes * least_above;
    if (logarithmic_) low_ = least_above / 2;
    if (high_ <= low_) high_ = low_ + 1;
  }

  double at(double value) const {
    const double inside = std::clamp(value, low_, high_);
    return logarithmic_ ? kPlot * std::log(inside / low_) / std::log(high_ / low_)
                        : kPlot * (inside - low_) / (high_ - low_);
  }
  /// Returns -1 for a value below the axis, 1 for one above it, otherwise 0.
  int side(double value) const { return value < low_ ? -1 : value > high_ ? 1 : 0; }
  double origin() const { return logarithmic_ ? 0 : at(0); }
  bool logarithmic() const { return logarithmic_; }

 private:
  double low_ = 0, high_ = 0;
  bool logarithmic_ = false;
};

/// Shapes in the order of their drawing, on white.
class Drawing {
 public:
  void begin(double width, double height) {
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#ffffff\"/>\n",
        width, height);
  }
  std::string end() const { return out_ + "</svg>\n"; }
  void bar(double x, double y, double width, const char* fill, double height = kBar) {
    out_ += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.0f}\" fill=\"{}\"/>\n", x, y,
        width, height, fill);
  }
  void line(double x1, double y1, double x2, double y2, const char* stroke, int width = 1) {
    out_ += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
        "stroke-width=\"{}\"/>\n",
        x1, y1, x2, y2, stroke, width);
  }
  void text(double x, double y, const char* fill, const std::string& what,
            const char* anchor = "") {
    out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\"{}>{}</text>\n", x, y, fill,
                        anchor, escaped(what));
  }
  /// A circle, or where `side` is not 0 a triangle that points to what lies beyond; `tip` is shown
  /// under the pointer.
  void mark(double x, double y, int side, const char* fill, const std::string& tip) {
    const std::string shape =
        side == 0 ? fmt::format("circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"", x, y)
                  : fmt::format("path d=\"M{0:.1f},{1:.1f} l{2},-5 v10 z\"", x, y, -8 * side);
    out_ += fmt::format("<{} fill=\"{}\" fill-opacity=\"0.8\"><title>{}</title></{}>\n", shape,
                        fill, escaped(tip), side == 0 ? "circle" : "path");
  }

 private:
  std::string out_;
};

class Picture : private Drawing {
 public:
  explicit Picture(const Json& record) : record_(record), scale_(record["rows"]) {
    std::size_t longest = 0;
    for (const Json& row : record["rows"]) {
      left_ = std::max(left_, 16 + kLetter * static_cast<double>(name(row).size()));
      longest = std::max(longest, beyond(row).size());
    }
    right_ = kNumbers + kLetter * static_cast<double>(longest);
  }

  std::string draw() {
    const double width = left_ + kPlot + right_;
    const double height = kTop + kRow * static_cast<double>(record_["rows"].size()) + 12;
    begin(width, height);
    text(8, 16, "#000000",
         fmt::format("{}: {}", record_["id"].get<std::string>(),
                     record_["title"].get<std::string>()));
    bar(8, 24, 12, "#9aa5b1");
    text(24, 34, "#444444", "published");
    bar(100, 24, 12, "#2f6fb5");
    text(116, 34, "#444444",
         std::string("measured; line: range over the programs, tick: median") +
             (right_ > kNumbers ? "; triangle: median beyond the axis" : "") +
             (scale_.logarithmic() ? "; logarithmic axis" : ""));
    double y = kTop;
    for (const Json& r : record_["rows"]) {
      row(r, y);
      y += kRow;
    }
    line(left_ + scale_.origin(), kTop - 2, left_ + scale_.origin(), y, "#000000");
    return end();
  }

 private:
  static std::string name(const Json& row) {
    return row["name"].get<std::string>() + " [" + row["unit"].get<std::string>() + "]";
  }

  void row(const Json& r, double y) {
    const auto standing = r["standing"].get<std::string>();
    text(8, y + 18, "#000000", name(r));
    double last = scale_.origin();
    if (r.contains("low")) {
      const double middle = (r["low"].get<double>() + r["high"].get<double>()) / 2;
      value_bar(middle, y + 2, "#9aa5b1");
      last = std::max(last, scale_.at(middle));
    } else {
      const double x = left_ + scale_.at(r["limit"].get<double>());
      line(x, y, x, y + 2 * kBar + 5, "#9aa5b1", 3);
      last = std::max(last, x - left_);
    }
    if (r.contains("value")) {
      value_bar(r["value"].get<double>(), y + 4 + kBar, "#2f6fb5");
      last = std::max(last, scale_.at(r["value"].get<double>()));
    }
    if (has_range(r)) {
      const double middle = y + 4 + kBar * 1.5;
      const double from = left_ + scale_.at(r["least"].get<double>());
      const double to = left_ + scale_.at(r["most"].get<double>());
      const auto median = r["median"].get<double>();
      const double at = left_ + scale_.at(median);
      line(from, middle, to, middle, "#12304f");
      if (const int side = scale_.side(median); side != 0)
        mark(at, middle, side, "#12304f", fmt::format("median {:.1f}", median));
      else
        line(at, middle - 5, at, middle + 5, "#12304f", 2);
      last = std::max(last, to - left_);
    }
    text(left_ + last + 6, y + 18, colour(standing),
         fmt::format("{} | {} {}{}", r["published"].get<std::string>(),
                     r["measured"].get<std::string>(), standing, beyond(r)));
  }

  // The range is that of at least two programs.
  static bool has_range(const Json& row) { return row.contains("without_one"); }

  /// Returns what is said of a median that has no place on the axis.
  std::string beyond(const Json& row) const {
    if (!has_range(row) || scale_.side(row["median"].get<double>()) == 0) return "";
    return fmt::format(", median {:.1f}", row["median"].get<double>());
  }

  void value_bar(double value, double y, const char* fill) {
    const double from = std::min(scale_.origin(), scale_.at(value));
    const double to = std::max(scale_.origin(), scale_.at(value));
    bar(left_ + from, y, to - from, fill);
  }

  const Json& record_;
  Scale scale_;
  double left_ = 0, right_ = 0;  // of the plot
};

/// All records, a line each: which part of the published effect of each row was measured.
class Overview : private Drawing {
 public:
  std::string draw(const std::vector<Json>& records) {
    const double bottom = kTop + kLine * static_cast<double>(records.size());
    begin(kPlaces + kWidth + 110, bottom + 44);
    text(8, 16, "#000000", "The part of the published effect that was measured, a mark a row");
    bar(at(1 - kNear), kTop, at(1 + kNear) - at(1 - kNear), "#e3f1e6", bottom - kTop);
    for (const int percent : {-100, -50, 0, 50, 100, 150, 200}) {
      const double x = at(percent / 100.0);
      line(x, kTop, x, bottom, percent == 0 || percent == 100 ? "#555555" : "#dddddd");
      text(x, bottom + 16, "#444444", fmt::format("{} %", percent), kMiddle);
    }
    text(at(0), kTop - 6, "#444444", "nothing", kMiddle);
    text(at(1), kTop - 6, "#444444", "as published", kMiddle);
    text(8, bottom + 36, "#444444",
         "Triangles: beyond the axis. Shaded: within 30 %. Left out: rows without a published "
         "number, or with one that is nearly no change.");
    double y = kTop + kLine / 2;
    for (const Json& record : records) {
      one(record, y);
      y += kLine;
    }
    return end();
  }

 private:
  static constexpr double kLine = 20;
  static constexpr double kPlaces = 500;  // width of the names
  static constexpr double kWidth = 420;   // of the plot
  static constexpr double kLeast = -1, kMost = 2;
  static constexpr const char* kMiddle = " text-anchor=\"middle\"";

  static double at(double part) {
    return kPlaces + kWidth * (std::clamp(part, kLeast, kMost) - kLeast) / (kMost - kLeast);
  }

  void one(const Json& record, double y) {
    const auto verdict = record["verdict"].get<std::string>();
    text(
        8, y + 4, "#000000",
        fmt::format("{}: {}", record["id"].get<std::string>(), record["title"].get<std::string>()));
    for (const Json& row : record["rows"]) mark_of(row, y);
    text(kPlaces + kWidth + 14, y + 4, colour(verdict), verdict);
  }

  void mark_of(const Json& row, double y) {
    if (!row.contains("low") || !row.contains("value")) return;
    const double origin = row["unit"].get<std::string>() == "% of the baseline" ? 100 : 0;
    const double published = (row["low"].get<double>() + row["high"].get<double>()) / 2 - origin;
    if (std::abs(published) < kOrdered) return;
    const double part = (row["value"].get<double>() - origin) / published;
    const int side = part > kMost ? 1 : part < kLeast ? -1 : 0;
    const auto standing = row["standing"].get<std::string>();
    mark(at(part), y, side, colour(standing),
         fmt::format("{}: published {}, measured {}, {}", row["name"].get<std::string>(),
                     row["published"].get<std::string>(), row["measured"].get<std::string>(),
                     standing));
  }
};

}  // namespace

std::string figure_of(const Json& record) { return Picture(record).draw(); }

std::string overview_of(const std::vector<nlohmann::ordered_json>& records) {
  return Overview().draw(records);
}

std::string colour_of_verdict(const std::string& word) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"10\" height=\"10\"><circle cx=\"5\" "
      "cy=\"5\" r=\"5\" fill=\"{}\"/></svg>\n",
      colour(word));
}

}  // namespace warpmem::sweeps
