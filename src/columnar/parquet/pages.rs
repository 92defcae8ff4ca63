//! Reads the values of a chunk page by page.

use parquet::basic::Encoding;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::column::reader::{ColumnReader, get_column_reader};
use parquet::errors::ParquetError;
use parquet::file::reader::RowGroupReader;

/// Returns a reader for the values of a column in a row group.
pub(super) fn values_of(group: &impl RowGroupReader, leaf: usize) -> Result<ColumnReader, ParquetError> {
    let column = group.metadata().column(leaf).column_descr_ptr();
    let pages = CheckedPages { pages: group.get_column_page_reader(leaf)?, has_dictionary: false };
    Ok(get_column_reader(column, Box::new(pages)))
}

/// Pages with the check that a page which needs a dictionary comes after one. The decoder assumes this.
struct CheckedPages {
    pages: Box<dyn PageReader>,
    has_dictionary: bool,
}

impl Iterator for CheckedPages {
    type Item = Result<Page, ParquetError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>, ParquetError> {
        let page = self.pages.get_next_page()?;
        match &page {
            Some(Page::DictionaryPage { .. }) => self.has_dictionary = true,
            Some(page) if !self.has_dictionary && needs_dictionary(page) => {
                return Err(ParquetError::General("a page needs a dictionary, and there is none before it".into()));
            }
            _ => {}
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>, ParquetError> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<(), ParquetError> {
        self.pages.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool, ParquetError> {
        self.pages.at_record_boundary()
    }
}

fn needs_dictionary(page: &Page) -> bool {
    matches!(page.encoding(), Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY)
}
