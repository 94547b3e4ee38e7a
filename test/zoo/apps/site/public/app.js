document.title = "Pottery";
