//! Sheets that save pictures, films and contact sheets.

mod caption;

pub use caption::{Caption, caption, panel_colour};

use crate::session::Product;

/// What the sheet is called that saves something.
#[must_use]
pub fn heading(product: Product) -> &'static str {
    match product {
        Product::Picture => "Save the picture",
        Product::Transparent => "Save the picture, transparent",
        Product::Film => "Save the film",
        Product::ContactSheet => "Save the contact sheet",
    }
}
