// The public functions; the printers of the parts are in print_expression, print_statement and
// print_module.
#include "grammar/print.hpp"

#include "grammar/printer.hpp"

namespace tmemc::grammar {

std::string print(const ast::Module& module) {
    Printer printer;
    printer.write(module);
    return printer.take();
}

std::string print(const ast::Expr& expr) {
    Printer printer;
    printer.write(expr);
    return printer.take();
}

std::string print(const ast::Region& region) {
    Printer printer;
    printer.write(region);
    return printer.take();
}

} // namespace tmemc::grammar
