//! The colours of SVG drawings. Drawings are made in light colours, and each of these has a dark counterpart.

/// The colours of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Theme {
    /// Dark on white.
    #[default]
    Light,
    /// Light on black.
    Dark,
    /// The preference of the viewer, by a style sheet. Browsers support it, but not all other programs.
    Auto,
}

/// Each light colour and its dark counterpart.
const COLOURS: [(&str, &str); 31] = [
    // Paper; black cells, which stay black, and their digits; lines and digits.
    ("#fff", "#2a2e35"),
    ("#202020", "#000"),
    ("#fefefe", "#fff"),
    ("#9a9a9a", "#727983"),
    ("#111", "#f0f0f0"),
    ("#222", "#d8dade"),
    ("#444", "#a8adb5"),
    ("#5c5c5c", "#b4b9c1"),
    ("#1a5fc8", "#7db4ff"),
    ("#b3c4d8", "#47566b"),
    ("#dbe7f5", "#22344d"),
    // Regions.
    ("#fbe3df", "#4a2b27"),
    ("#dfebfa", "#24364f"),
    ("#e4f3df", "#2a4124"),
    ("#fdf3cf", "#453b17"),
    ("#ece2f6", "#3b2d4e"),
    ("#dff2f1", "#1f4341"),
    // Coloured groups.
    ("#f7d4cf", "#56312c"),
    ("#cfe1f7", "#2a4160"),
    ("#d3eccb", "#31502a"),
    ("#faedb9", "#54481b"),
    ("#e3d3f2", "#47365e"),
    ("#c9ebe9", "#255350"),
    ("#fadfbd", "#573f1e"),
    ("#e6e6e6", "#3a3e45"),
    ("#f5cfe4", "#562f46"),
    // Outlined groups.
    ("#b0413e", "#e88481"),
    ("#2f6db3", "#7fb2ea"),
    ("#3f8a3a", "#86c981"),
    ("#8a5bb5", "#c39be6"),
    ("#b07d1e", "#e0b45c"),
];

impl Theme {
    /// The declarations of the colours, for the beginning of a document.
    pub(super) fn style(self) -> String {
        if self != Self::Auto {
            return String::new();
        }
        let all = |colours: fn(&(&'static str, &'static str)) -> &'static str| -> String {
            COLOURS.iter().map(|pair| format!("--{}:{};", &pair.0[1..], colours(pair))).collect()
        };
        let (light, dark) = (all(|pair| pair.0), all(|pair| pair.1));
        format!("<style>svg{{{light}}}@media (prefers-color-scheme:dark){{svg{{{dark}}}}}</style>\n")
    }

    /// Replaces the light colours of a part of a drawing by those of the theme.
    pub(super) fn colours(self, drawing: String) -> String {
        if self == Self::Light {
            return drawing;
        }
        let mut out = String::with_capacity(drawing.len());
        let mut rest = drawing.as_str();
        while let Some(at) = rest.find("=\"#") {
            let (before, colour) = rest.split_at(at + 2);
            let end = colour.find('"').unwrap_or(colour.len());
            out.push_str(before);
            match COLOURS.iter().find(|(light, _)| *light == &colour[..end]) {
                Some((_, dark)) if self == Self::Dark => out.push_str(dark),
                Some((light, _)) => out.push_str(&format!("var(--{})", &light[1..])),
                None => out.push_str(&colour[..end]),
            }
            rest = &colour[end..];
        }
        out.push_str(rest);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{groups9, named, rich};
    use super::super::svg::SvgPage;
    use super::*;
    use crate::board::Kind;

    /// The table has every colour of the drawings.
    #[test]
    fn every_colour_has_a_dark_one() {
        let rich = Kind::all().map(|kind| rich(kind, if kind.has_operators() { 6 } else { 9 }, true));
        for batch in rich.chain(named().into_iter().map(|(_, batch)| batch)).chain([groups9()]) {
            for theme in [Theme::Dark, Theme::Auto] {
                let mut page = SvgPage::new(1, true, theme);
                page.make_room(&batch);
                let text = page.begin() + &page.draw(&batch, 0, "caption");
                let (_, body) = text.split_once("</style>").unwrap_or(("", &text));
                for part in body.split("=\"#").skip(1) {
                    let colour = format!("#{}", part.split('"').next().unwrap_or_default());
                    assert!(
                        theme == Theme::Dark && COLOURS.iter().any(|(_, dark)| *dark == colour),
                        "{theme:?} {colour}"
                    );
                }
            }
        }
    }
}
