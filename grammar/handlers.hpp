// What happens when a rule has matched, and when it cannot.
//
// A matched node gets its place: from its first token to its last, without blanks.
//
// A rule that has seen the token which decides the construct goes on with `>`, and Spirit throws where that
// fails. recover(resume)[rule] catches it, reports what was expected, and goes on at the token that `resume`
// finds; so one run finds every independent mistake. What the rule leaves in the tree then is worth nothing,
// so parse() reads the text once more without the statements that failed. Where `resume` finds nothing, an
// outer recover decides.
//
//     statements = *recover(next_statement)[statement]
#pragma once

#include "grammar/config.hpp"
#include "grammar/resume.hpp"

namespace tmemc::grammar {

/// Base of a rule's id: the rule's node has a place.
struct Placed {
    template <class Node>
    void on_success(Iterator& first, Iterator& behind, Node& node, const auto&) {
        node.place = {{first->begin, (behind - 1)->end()}};
    }
};

template <class Subject>
struct Recover : x3::unary_parser<Subject, Recover<Subject>> {
    static constexpr bool is_pass_through_unary = true;
    static constexpr bool handles_container = Subject::handles_container;
    const Resume* resume;

    constexpr Recover(const Subject& rule, const Resume& where)
        : x3::unary_parser<Subject, Recover<Subject>>(rule), resume(&where) {}

    template <class Attribute>
    bool parse(Iterator& first, const Iterator& last, const auto& context, auto& rule_context,
               Attribute& attribute) const {
        const Iterator begin = first;
        try {
            return this->subject.parse(first, last, context, rule_context, attribute);
        } catch (const x3::expectation_failure<Iterator>& failure) {
            Errors& errors = x3::get<errors_tag>(context);
            const Token* const next = resume->find(begin, failure.where());
            if (next == nullptr || errors.enough()) throw;
            errors.expected(failure.which(), *failure.where());
            errors.left_out({begin, next, resume->what});
            first = next;
            return true;
        }
    }
};

struct RecoverGenerator {
    const Resume* resume;
    template <class Subject>
    constexpr Recover<Subject> operator[](const Subject& subject) const {
        return {subject, *resume};
    }
};
constexpr RecoverGenerator recover(const Resume& resume) { return {&resume}; }

} // namespace tmemc::grammar
